import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api';
import { codeOf } from './errors.ts';
import { StartError } from './start-error.ts';

export const tracer = trace.getTracer('dogear');
let isOn = false;

/** Whether anybody wants to know what is done. */
export const isTracing = (): boolean => isOn;

const start = async (): Promise<{ shutdown(): Promise<void> }> => {
  const [sdk, { OTLPTraceExporter }, resources, contexts, { W3CTraceContextPropagator }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ]);
  const name = process.env['OTEL_SERVICE_NAME'] ?? 'dogear';
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': name, 'process.pid': process.pid }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return provider;
};

/**
 * Begins to send traces to `endpoint` (OTLP over HTTP; OpenTelemetry's own variables OTEL_* say the rest). Answers how
 * to end it, what is left being sent. Without an endpoint nothing but the interface is loaded.
 */
export const openTracing = async (endpoint: string | undefined): Promise<() => Promise<void>> => {
  if (endpoint === undefined) return async () => {};
  const provider = await start().catch((error: unknown) => {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartError(
      'OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, which need packages that are not installed: see docs/operating.md.',
    );
  });
  isOn = true;
  return () => provider.shutdown().catch(() => {});
};

/** Runs `work` within a span, where traces are made. */
export const traced = async <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
  if (!isOn) return work();
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // The kind of error alone: messages may hold what people typed.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'thrown' });
      throw error;
    } finally {
      span.end();
    }
  });
};
