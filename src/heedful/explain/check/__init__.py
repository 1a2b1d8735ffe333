"""What is wrong in labelled data: results, and the arithmetic behind them."""
