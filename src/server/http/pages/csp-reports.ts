import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/platform/config.ts';
import { REPORTS_PATH } from './page-policy.ts';

const BODY_LIMIT_BYTES = 32_000;
/** Anyone can send reports: more than this a minute is counted but not logged. */
const LOGGED_PER_MINUTE = 20;
/** As much of a report as is logged; the rest is counted. The first lines say what was stopped and where. */
const KEPT_BYTES = 2_000;
const MINUTE_MS = 60_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** How many violations of the pages' policy browsers have reported to this process. */
    cspReportCount(): number;
  }
}

/**
 * The beginning of a report that takes no more than its share of a line of the log, and how much of it that leaves out.
 */
const shortened = (report: string): { report: string; leftOutBytes: number } => {
  let kept = report.slice(0, KEPT_BYTES);
  // As it is written: a control character takes six bytes.
  while (Buffer.byteLength(JSON.stringify(kept)) > KEPT_BYTES) kept = kept.slice(0, Math.floor(kept.length * 0.8));
  return { report: kept, leftOutBytes: Buffer.byteLength(report) - Buffer.byteLength(kept) };
};

/** Takes the browsers' reports of what the pages' policy stopped: logs them (as untrusted text) and counts them. */
export const addCspReports = async (app: FastifyInstance, config: Config): Promise<void> => {
  let count = 0;
  let logged = 0;
  let minute = 0;
  app.decorate('cspReportCount', () => count);
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      ['application/reports+json', 'application/csp-report'],
      { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post(REPORTS_PATH, async (request, reply) => {
      count += 1;
      const now = Math.floor(Date.now() / MINUTE_MS);
      if (now !== minute) [minute, logged] = [now, 0];
      logged += 1;
      if (logged <= LOGGED_PER_MINUTE) {
        request.log.warn(shortened(String(request.body)), 'a page policy was violated');
      }
      return reply.status(204).send();
    });
    // The browser journeys of the demo shop ask for this number and expect none.
    if (config.mode === 'demo') scope.get(REPORTS_PATH, async () => ({ count }));
  });
};
