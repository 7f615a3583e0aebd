import { createHmac } from 'node:crypto';

/** The headers of Standard Webhooks (standardwebhooks.com): who it is, when it is sent, and that it is from us. */
export const signedHeaders = (
  { id, secret, atSeconds }: { id: string; secret: Buffer; atSeconds: number },
  body: string,
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(atSeconds),
  'webhook-signature': `v1,${createHmac('sha256', secret).update(`${id}.${atSeconds}.${body}`).digest('base64')}`,
});
