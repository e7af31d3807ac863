package tokens_test

import (
	"fmt"

	"ibid/context/tokens"
)

func Example() {
	counter := tokens.NewCounter()
	fmt.Println(counter.Count("Water the tomatoes."))
	fmt.Println(counter.Count("Water the beans in the south bed."))
	// Output:
	// 4
	// 8
}

// The room for a prompt is what the reply and a margin for error leave.
func ExampleBudget() {
	facts := tokens.Lookup("openai", "gpt-4o-2024-08-06")
	fmt.Println(facts.Window, tokens.Reserve(facts), tokens.Budget(facts))
	// Output: 128000 8192 113408
}

// The same model has another cache elsewhere.
func ExampleFacts_On() {
	model := tokens.Lookup("groq", "llama-3.3-70b-versatile")
	fmt.Println(model.On("groq").Cache.Lifetime, model.On("ollama").Cache.Lifetime)
	// Output: 2h0m0s 0s
}

// A provider's own count corrects the estimate of the next turn.
func ExampleCalibration() {
	var c tokens.Calibration // in memory; OpenCalibration keeps it in a file
	before := c.Factor("groq", "kimi-k2")
	_ = c.Observe("groq", "kimi-k2", 6000, 7500) // without a file there is nothing to go wrong
	fmt.Printf("%.2f, then %.2f\n", before, c.Factor("groq", "kimi-k2"))
	// Output: 1.00, then 1.20
}
