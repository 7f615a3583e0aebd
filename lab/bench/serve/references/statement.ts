// node:http and pg, one prepared statement a request whose JSON PostgreSQL builds; a booking is the same rows written
// by hand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import * as sql from './statements.ts';

/** As many as the shop has. */
const CONNECTIONS = 10;

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS });
pool.on('error', () => {});

const send = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
};

const one = async (statement: { name: string; text: string }, values: unknown[]): Promise<string> =>
  (await pool.query<{ json: string }>({ ...statement, values })).rows[0]?.json ?? '';

/** Time and id of a cursor of the shop, or what is before everything. */
const positionOf = (url: URL): [string, string] => {
  const cursor = url.searchParams.get('cursor');
  const [at = '', id = ''] = Buffer.from(cursor ?? '', 'base64url')
    .toString('latin1')
    .split('_');
  return cursor === null ? ['infinity', '00000000-0000-0000-0000-000000000000'] : [at, id];
};

/** The words as a tsquery; nothing else comes from the bench than words and what stands between them. */
const queryOf = (typed: string): string =>
  typed
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => `'${word}'`)
    .join(' & ');

const read = (url: URL): Promise<string> => {
  const [, , room = '', id] = url.pathname.split('/');
  if (room === 'category') return one(sql.LIST_OF_CATEGORY, [id, ...positionOf(url)]);
  if (room === 'search') return one(sql.SEARCH, [queryOf(url.searchParams.get('q') ?? '')]);
  return id === undefined ? one(sql.LIST, positionOf(url)) : one(sql.BOOK, [id]);
};

const book = async (request: IncomingMessage): Promise<[number, string]> => {
  const draft = JSON.parse(await text(request)) as Record<string, string>;
  const buyer = request.headers['x-buyer'];
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const copy = (await client.query({ ...sql.TAKE, values: [draft['listingId']] })).rows[0];
    if (copy === undefined) {
      await client.query('ROLLBACK');
      return [409, '{}'];
    }
    const values = [
      draft['listingId'],
      buyer,
      copy.seller_id,
      copy.title,
      copy.authors,
      copy.image_url,
      copy.condition,
      copy.details,
      draft['buyer'],
      draft['email'],
    ];
    const more = [draft['phone'], draft['location'], copy.resale_cents];
    const { id } = (await client.query({ ...sql.INSERT_BOOKING, values: [...values, ...more] })).rows[0];
    await client.query({ ...sql.INSERT_PROMISE, values: [id, draft['listingId']] });
    const hold = await client.query({ ...sql.INSERT_HOLD, values: [draft['listingId'], id, buyer] });
    const heldUntil = hold.rows[0].expires_at.toISOString();
    const data = { title: copy.title, priceCents: copy.resale_cents, bookingId: id, heldUntil };
    const mail = [`booking-made:${id}`, 'booking-made', draft['email'], draft['buyer'], JSON.stringify(data)];
    await client.query({ ...sql.INSERT_MAIL, values: mail });
    await client.query('COMMIT');
    return [201, JSON.stringify({ acknowledged: true, insertedId: id, holdExpiresAt: heldUntil })];
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method === 'POST') return send(response, ...(await book(request)));
  const json = await read(new URL(request.url ?? '/', 'http://bench'));
  send(response, json === '' ? 404 : 200, json);
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    send(response, 500, '{}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`PORT=${typeof address === 'object' ? address?.port : 0}`);
});
