/*
 * command.h - the subcommands of `suanjia`: one file each, listed in main.c.
 *
 * ARGV[0] is the subcommand's name. Each returns the process's exit status: 0 done, 1 it could not
 * be done (why is on stderr), 2 wrong usage.
 */
#ifndef API_COMMAND_H
#define API_COMMAND_H

int command_serve(int argc, char **argv);  /* the service */
int command_demo(int argc, char **argv);   /* the service with a sample catalogue */
int command_size(int argc, char **argv);   /* JSON lines in, JSON lines out */
int command_plan(int argc, char **argv);   /* a spec in, ranked options out */
int command_key(int argc, char **argv);    /* create, list and revoke API keys */
int command_import(int argc, char **argv); /* read a price sheet; store it unless --dry-run */
int command_backup(int argc, char **argv);
int command_restore(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_routes(int argc, char **argv); /* the route table as JSON */

#endif
