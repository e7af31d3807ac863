package chains

import (
	"context"
	"iter"
)

// Retry runs the last turn again, with the model of the chat.
func (s *Session) Retry(ctx context.Context) iter.Seq2[Event, error] { return RetryWith(ctx, s, nil) }
