package server

import "time"

// A batch may take as long as it keeps moving: whenever enough bytes came or went since its deadline was last set, the deadline is set
// anew. So a batch of minutes ends well, while a client that stalls, or lets a byte drip now and then, is cut off after one timeout.
const (
	progressBytes = 1 << 10  // a client must move this much in each read or write timeout
	writePiece    = 64 << 10 // a large reply is written in pieces, so that one piece is what a deadline is for
)

// progress is how far one direction has come since its deadline was set.
type progress struct {
	bytes int
	since time.Time
}

// due says whether the deadline should be set anew after n more bytes. Setting one costs a little: not more often than each eighth of
// the timeout.
func (p *progress) due(n int, timeout time.Duration) bool {
	p.bytes += n
	if p.bytes < progressBytes {
		return false
	}
	now := time.Now()
	if now.Sub(p.since) < timeout/8 {
		return false
	}
	p.bytes, p.since = 0, now
	return true
}

// readProgress moves both deadlines: the reply begins only when the input is read, and on HTTP/2 a stream whose write deadline has
// passed is reset even if nothing was written.
func (x *transit) readProgress(n int) {
	t := &x.srv.cfg.Timeouts
	if x.reading.due(n, t.Read) {
		now := x.reading.since
		_ = x.deadline.SetReadDeadline(now.Add(t.Read))
		_ = x.deadline.SetWriteDeadline(now.Add(t.Read + t.Write))
	}
}

// writePieces writes b piece by piece and moves the write deadline between.
func (x *transit) writePieces(b []byte) (written int, err error) {
	for {
		piece := b[:min(len(b), writePiece)]
		if x.writing.since.IsZero() {
			x.writing.since = time.Now()
			_ = x.deadline.SetWriteDeadline(x.writing.since.Add(x.srv.cfg.Timeouts.Write))
		}
		n, err := x.ResponseWriter.Write(piece)
		written += n
		x.out += int64(n)
		if err != nil {
			x.failed = true
			return written, err
		}
		if x.writing.due(n, x.srv.cfg.Timeouts.Write) {
			_ = x.deadline.SetWriteDeadline(x.writing.since.Add(x.srv.cfg.Timeouts.Write))
		}
		if b = b[n:]; len(b) == 0 {
			return written, nil
		}
	}
}
