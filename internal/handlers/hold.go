package handlers

import "mxrest/internal/budget"

// hold is what one request has taken of the memory budget for a reply that grows beyond the size of what was asked.
type hold struct {
	budget *budget.Budget
	taken  int64
}

// take takes n bytes more; the problem is 503.
func (h *hold) take(n int64) *Problem {
	if !h.budget.Take(n) {
		return noMemory()
	}
	h.taken += n
	return nil
}

// release gives everything back, once the reply was written.
func (h *hold) release() {
	h.budget.Give(h.taken)
	h.taken = 0
}

// replyFactor is how many times a JSON reply is there at its peak: as values, as the text that grows, and the copy that growing left behind.
const replyFactor = 4
