package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// turkish is the environment of the locale that lower-cases I to ı and İ to i.
var turkish = []string{"LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "LC_CTYPE=tr_TR.UTF-8", "LANGUAGE=tr"}

// localeCases are names with each i there is, with their signatures in memory order: 0x593B, 0x500A, 0x810B.
var localeCases = []struct{ object, objectSignature, attribute, attributeSignature string }{
	{"TestChildObject", "36d7", "TestInt", "3eda"},
	{"TESTCHILDOBJECT", "36d7", "testint", "3eda"},
	{"testchildobject", "36d7", "TESTINT", "3eda"},
	{"ILK", "3b59", "ilk", "3b59"},
	{"İLK", "0a50", "İlk", "0a50"},
	{"ıLK", "0b81", "ılk", "0b81"},
}

func localeRequest(object, attribute string) string {
	return fmt.Sprintf(`{"handle":{"galaxyId":1,"platformId":1,"engineId":2,"objectId":5,"object":%q,"primitiveId":2,"attributeId":155,`+
		`"propertyId":10,"attribute":%q},"type":"Int32","value":305419896}`, object, attribute)
}

func localeBody(objectSignature, attributeSignature string) string {
	return "3701000500" + objectSignature + "02009b000a00" + attributeSignature + "0000" + "02" + "78563412" + "ffff" + strings.Repeat("00", 16)
}

// The bytes do not depend on the locale of the process: case 1 and names with I, i, İ and ı, from the command line and from a server.
func TestTheLocaleChangesNoBytes(t *testing.T) {
	require.Equal(t, "37010005"+"0036d702009b000a003eda0000"+"0278563412"+"ffff00000000000000000000000000000000", localeBody("36d7", "3eda"))

	t.Run("encode", func(t *testing.T) {
		exe, err := os.Executable()
		require.NoError(t, err)
		var requests, want strings.Builder
		for _, c := range localeCases {
			fmt.Fprintln(&requests, localeRequest(c.object, c.attribute))
			fmt.Fprintln(&want, localeBody(c.objectSignature, c.attributeSignature))
		}
		cmd := exec.Command(exe, "encode", "--hex")
		cmd.Env = append(append(os.Environ(), asProgram+"=1"), turkish...)
		cmd.Stdin = strings.NewReader(requests.String())
		var stderr strings.Builder
		cmd.Stderr = &stderr
		got, err := cmd.Output()
		require.NoError(t, err, stderr.String())
		require.Equal(t, want.String(), string(got))
	})

	t.Run("serve", func(t *testing.T) {
		p := startProcess(t, turkish, "--listen", "127.0.0.1:0")
		url := p.line(t, `msg=serving url=(\S+)`)
		for _, c := range localeCases {
			res, err := http.Post(url+"/v1/write", "application/json", strings.NewReader(localeRequest(c.object, c.attribute)))
			require.NoError(t, err)
			got, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, res.StatusCode, string(got))
			require.Equal(t, localeBody(c.objectSignature, c.attributeSignature), hex.EncodeToString(got), c.object)
		}
		require.NoError(t, p.Process.Signal(syscall.SIGTERM))
		require.Equal(t, 0, p.end(t))
	})
}
