/* command_routes.c - `suanjia routes`: the table of routes as JSON, for the authorisation tests. */
#include <stdio.h>

#include "api/auth.h"
#include "api/command.h"
#include "api/command_parts.h"
#include "api/routes.h"
#include "base/buf.h"
#include "base/json_write.h"

static void write_route(struct json_write *out, const struct route *route)
{
	out_object(out, NULL);
	out_string(out, "method", route->method);
	out_string(out, "path", route->pattern);
	out_array(out, "roles");
	for (unsigned role = 1; role <= ROLE_ANY; role *= 2)
		if ((route->roles & role) != 0)
			out_string(out, NULL, role_name(role));
	out_end(out);
	out_boolean(out, "public", (route->flags & ROUTE_PUBLIC) != 0);
	out_boolean(out, "any_body", (route->flags & ROUTE_ANY_BODY) != 0);
	out_boolean(out, "idempotent", (route->flags & ROUTE_IDEMPOTENT) != 0);
	out_integer(out, "body_limit", (int64_t)route->body_limit);
	out_end(out);
}

int command_routes(int argc, char **argv)
{
	size_t count;
	const struct route *table = routes(&count);
	struct buf text = {0};
	struct json_write out = json_write_to(&text);

	if (argc > 1)
		return command_usage("usage: suanjia routes\n"
		                     "prints the table of routes as JSON: who may ask what\n",
		                     command_asks_help(argc, argv));
	out_array(&out, NULL);
	for (size_t i = 0; i < count; i++)
		write_route(&out, &table[i]);
	out_end(&out);
	puts(buf_text(&text));
	buf_finish(&text);
	return 0;
}
