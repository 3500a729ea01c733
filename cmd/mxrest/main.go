// Command mxrest encodes and decodes MXAccess message bodies over HTTP and on the command line. It never talks to a plant.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"mxrest/internal/bench"
)

const description = `Typed JSON in, MXAccess message bytes out, and back. Encodes and decodes; never talks to a plant.

Examples:
  mxrest                                        serve at http://127.0.0.1:8080
  mxrest encode write.json --hex                a write in JSON as the bytes of its body
  mxrest decode capture.txt                     every field of a captured body
  mxrest help encode                            what a command takes, with examples`

// cli is the whole command line: one field a subcommand, each in the file of its name.
type cli struct {
	Serve   serveCmd   `cmd:"" default:"withargs" help:"Serve the HTTP API (the default command)."`
	Encode  encodeCmd  `cmd:"" help:"Encode writes in JSON to message bodies: bytes, hex or JSON."`
	Decode  decodeCmd  `cmd:"" help:"Show every field of a message body: an annotated hex dump or JSON."`
	Diff    diffCmd    `cmd:"" help:"Compare two message bodies field by field."`
	Replay  replayCmd  `cmd:"" help:"Put other values into a captured write body."`
	Learn   learnCmd   `cmd:"" help:"Work out a plant's layout from captured bodies."`
	Health  healthCmd  `cmd:"" help:"Ask a running server whether it is ready; for health checks."`
	Key     keyCmd     `cmd:"" help:"Make API keys."`
	Bench   benchCmd   `cmd:"" help:"Count what encoding and decoding cost; fails when a row allocates more than it may."`
	Version versionCmd `cmd:"" help:"Print the version, the Go it was built with, and the commit."`

	VersionFlag kong.VersionFlag `name:"version" hidden:"" help:"The same as the command version."`
}

// env is what a subcommand may touch of the outside world, so that tests can hand it their own.
type env struct {
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// Exit codes: 0 all went well, 1 some item failed (or a gate does not hold), 2 the arguments are wrong.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// errFailed ends the program with exit code 1 after the subcommand has said what failed.
var errFailed = errors.New("failed")

// usageError ends the program with exit code 2: an argument that only the subcommand could judge is wrong.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func main() {
	dropEmptyVariables()
	bench.ChildMain(version, measuredServer)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program but for the process: arguments and streams in, exit code out.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	var c cli
	// Kong ends the process on --help and on errors; exits are caught here so that tests can call run.
	type exit struct{ code int }
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(exit)
			if !ok {
				panic(r)
			}
			code = e.code
		}
	}()
	parser, err := kong.New(&c,
		kong.Name("mxrest"),
		kong.Description(description),
		kong.UsageOnError(),
		kong.Vars{"version": versionLine()},
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit{code}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
	if err != nil {
		fmt.Fprintln(stderr, "mxrest:", err)
		return exitUsage
	}
	if len(args) > 0 && args[0] == "help" { // as git and go have it
		args = append(args[1:len(args):len(args)], "--help")
	}
	args = joinNegative(args)
	kctx, err := parser.Parse(args)
	if err != nil {
		help := helpfulCommand(args, err)
		if help == "mxrest" && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
			err = fmt.Errorf("there is no command %q", args[0])
		}
		fmt.Fprintf(stderr, "mxrest: %v (try '%s --help')\n", err, help)
		return exitUsage
	}
	err = kctx.Run(&env{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr})
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "mxrest: %v\n", err)
		return exitUsage
	case errors.Is(err, errFailed):
		return exitFailed
	default:
		fmt.Fprintf(stderr, "mxrest: %v\n", err)
		return exitFailed
	}
}

// joinNegative makes --value -5 one argument: kong takes -5 for a flag, and no flag of ours begins with a digit.
func joinNegative(args []string) []string {
	var out []string
	for _, arg := range args {
		if n := len(out); n > 0 && len(arg) > 1 && arg[0] == '-' && (arg[1] == '.' || '0' <= arg[1] && arg[1] <= '9') &&
			strings.HasPrefix(out[n-1], "--") && !strings.Contains(out[n-1], "=") {
			out[n-1] += "=" + arg
			continue
		}
		out = append(out, arg)
	}
	return out
}

// helpfulCommand is the command whose help says what was wrong with the arguments.
func helpfulCommand(args []string, err error) string {
	var e *kong.ParseError
	if !errors.As(err, &e) {
		return "mxrest"
	}
	command := ""
	for _, p := range e.Context.Path {
		if p.Command != nil {
			command += " " + p.Command.Name
		}
	}
	switch flag := len(args) > 0 && strings.HasPrefix(args[0], "-"); {
	case command == "" && flag:
		command = " serve" // the default command
	case command == " serve" && !flag && len(args) > 0 && args[0] != "serve":
		command = "" // no command is taken for an argument of the default one, whose help does not say which there are
	}
	return "mxrest" + command
}
