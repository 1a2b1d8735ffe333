"""Learning: the network, its loss, its loop. The only part that needs torch."""
