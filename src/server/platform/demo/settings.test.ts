import { expect, test } from 'vitest';
import { buffersFor, settingArgs } from './settings.ts';

const GB = 2 ** 30;

test.each([
  [GB / 2, '128MB'],
  [2 * GB, '128MB'],
  [4 * GB, '256MB'],
  [24 * GB, '1024MB'],
  [512 * GB, '1024MB'],
])('a machine with %d bytes of memory keeps %s of the tables', (bytes, buffers) => {
  expect(buffersFor(bytes)).toBe(buffers);
});

test('settings that are given win over our own', () => {
  expect(settingArgs({ shared_buffers: '16MB' })).toContain('shared_buffers=16MB');
  expect(settingArgs().filter((one) => one.startsWith('shared_buffers='))).toHaveLength(1);
});
