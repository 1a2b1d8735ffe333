"""Below the routes: connections, headers, bodies, errors."""
