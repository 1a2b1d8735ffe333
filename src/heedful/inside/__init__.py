"""A finished model looked at from inside, with torch: gradients, and answers to other weights than its own."""
