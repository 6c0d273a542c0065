import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ZodError } from 'zod';
import { SampleError, UserError } from '../contracts/errors.ts';

/** A 404 with the message that the page shows. */
export const notFound = (message: string): HTTPException => new HTTPException(404, { message });
export const refused = (message: string): HTTPException => new HTTPException(403, { message });

/** One line of JSON for the page; an unexpected error is shown in the terminal alone. */
export function answerError(error: Error, c: Context): Response {
  if (error instanceof HTTPException) {
    if (error.res) return error.res;
    return c.json({ error: error.message }, error.status);
  }
  // Whoever asked has gone: there is nobody to tell, and nothing was wrong.
  if (c.req.raw.signal.aborted) return c.body(null, 499 as never);
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return c.json({ error: `${issue.path.join('.') || 'the request'}: ${issue.message}` }, 400);
  }
  if (error instanceof UserError) return c.json({ error: error.message }, 400);
  if (error instanceof SampleError) return c.json({ error: error.message }, 422);
  process.stderr.write(`! ${c.req.method} ${c.req.path}: ${error.stack ?? error.message}\n`);
  return c.json({ error: 'The studio failed at this; the terminal says why' }, 500);
}
