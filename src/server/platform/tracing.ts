import { AsyncLocalStorage } from 'node:async_hooks';
import { StartError } from './start-error.ts';
import type { Context, Span, SpanKind, Tracer } from '@opentelemetry/api';

/** What a span is about, by OpenTelemetry's names. */
export type Attributes = Readonly<Record<string, number | string>>;
export type Kind = 'client' | 'server';

/** The part of OpenTelemetry that is used; loaded where an endpoint is set, and only there. */
interface Loaded {
  readonly tracer: Tracer;
  readonly kinds: Readonly<Record<Kind, SpanKind>>;
  readonly root: Context;
  readonly error: number;
  withSpan(context: Context, span: Span): Context;
  /** The caller's span, from a `traceparent` header (W3C Trace Context). */
  fromHeader(traceparent: string): Context | undefined;
  stop(): Promise<void>;
}

let loaded: Loaded | undefined;
const current = new AsyncLocalStorage<Context>();

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const load = async (version: string): Promise<Loaded> => {
  const [api, { TracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const name = process.env['OTEL_SERVICE_NAME'] ?? 'dogear';
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': name,
      'service.version': version,
      'process.pid': process.pid,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  return {
    tracer: provider.getTracer('dogear', version),
    kinds: { client: api.SpanKind.CLIENT, server: api.SpanKind.SERVER },
    root: api.ROOT_CONTEXT,
    error: api.SpanStatusCode.ERROR,
    withSpan: (context, span) => api.trace.setSpan(context, span),
    fromHeader: (traceparent) => {
      const [, traceId = '', spanId = '', flags = '0'] = TRACEPARENT.exec(traceparent) ?? [];
      if (traceId === '') return undefined;
      const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
      return api.trace.setSpanContext(api.ROOT_CONTEXT, caller);
    },
    stop: () => provider.shutdown(),
  };
};

/**
 * Begins to send traces to `endpoint` (OTLP over HTTP; OpenTelemetry's own variables OTEL_* say the rest). Answers how to end it, what is left being sent.
 * Without an endpoint nothing is loaded.
 */
export const openTracing = async (endpoint: string | undefined): Promise<() => Promise<void>> => {
  if (endpoint === undefined) return async () => {};
  try {
    loaded = await load('0.1.0');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new StartError(
        'OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, which need packages that are not installed: see docs/operating.md.',
      );
    throw error;
  }
  const opened = loaded;
  return async () => {
    loaded = undefined;
    await opened.stop().catch(() => {});
  };
};

const fail = ({ error }: Loaded, span: Span, problem: unknown): void => {
  // The kind of error alone: messages may hold what users typed.
  span.setStatus({ code: error, message: problem instanceof Error ? problem.name : 'thrown' });
};

/** Whether anybody wants to know what is done. */
export const isTracing = (): boolean => loaded !== undefined;

/** Runs `work` within a span, where traces are made. */
export const traced = async <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
  if (loaded === undefined) return work();
  const here = loaded;
  const parent = current.getStore() ?? here.root;
  const span = here.tracer.startSpan(name, { kind: here.kinds.client, attributes }, parent);
  try {
    return await current.run(here.withSpan(parent, span), work);
  } catch (error) {
    fail(here, span, error);
    throw error;
  } finally {
    span.end();
  }
};

export interface RequestTrace {
  /** Runs what answers the request, within its span. */
  run(work: () => void): void;
  end(name: string, attributes: Attributes, isDefect: boolean): void;
}

/** Begins the span of a request; undefined where no traces are made. */
export const traceRequest = (method: string, traceparent: string | undefined): RequestTrace | undefined => {
  if (loaded === undefined) return undefined;
  const here = loaded;
  // A page asks for what it shows in process: that is part of the page.
  const parent = current.getStore() ?? (traceparent && here.fromHeader(traceparent)) ?? here.root;
  const span = here.tracer.startSpan(method, { kind: here.kinds.server }, parent || here.root);
  return {
    run: (work) => current.run(here.withSpan(parent || here.root, span), work),
    end: (name, attributes, isDefect) => {
      span.updateName(name);
      span.setAttributes(attributes);
      if (isDefect) span.setStatus({ code: here.error });
      span.end();
    },
  };
};
