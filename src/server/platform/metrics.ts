import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Connection } from './postgres/db.ts';

const RESOLUTION_MS = 10;

/** What a registry holds, as processes send it to each other. */
export type Measured = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Numbers that are read whenever metrics are told; those of one name have the same labels. */
export const measure = (
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: () => Sample[],
): void => {
  const Kind = name.endsWith('_total') ? Counter : Gauge;
  new Kind({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const [of, value] of read()) this.inc(of, value);
    },
  });
};

/**
 * How late the event loop is and what the process holds, each process by its id; answers how to ask for the lateness.
 */
export const measureProcess = (registry: Registry): (() => number) => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // The resolution itself is part of what is measured.
  const lagSeconds = (): number => Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS) / 1_000;
  const startedAt = Date.now() / 1_000 - process.uptime();
  const own = (name: string, help: string, read: () => number): void =>
    measure(registry, name, help, ['process'], () => [[{ process: String(process.pid) }, read()]]);
  own('dogear_event_loop_lag_seconds', 'How late the event loop was since it was last asked, p99.', () => {
    const lag = lagSeconds();
    delay.reset();
    return lag;
  });
  own('dogear_memory_bytes', 'Resident memory of a process.', () => process.memoryUsage.rss());
  own('dogear_started_seconds', 'When a process began, in seconds since 1970.', () => startedAt);
  own('dogear_cpu_seconds_total', 'CPU time of a process.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  return lagSeconds;
};

/** The connections of pools, by who uses them. */
export const measurePools = (registry: Registry, pools: Readonly<Record<string, Connection['pool']>>): void => {
  const help = 'Connections to the database by state; `waiting` is who waits for one.';
  measure(registry, 'dogear_pool_connections', help, ['use', 'state'], () =>
    Object.entries(pools).flatMap(([use, pool]) =>
      Object.entries(pool()).map(([state, value]): Sample => [{ use, state }, value]),
    ),
  );
};
