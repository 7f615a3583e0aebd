/** One number, with what tells it from others of its name. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** What follows the name: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
}

/** All samples of one name. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** Something that tells its numbers when asked. */
export type Collector = () => readonly Family[];

const keyOf = (labels: Readonly<Record<string, string>>): string =>
  Object.keys(labels)
    .toSorted()
    .map((name) => `${name}=${labels[name]}`)
    .join('\n');

/** A number that only grows. Keep the values of labels few: each combination lives as long as the process. */
export const createCounter = (name: string, help: string) => {
  const samples = new Map<string, { labels: Readonly<Record<string, string>>; value: number }>();
  /** Counts what has these labels; keep it where it is called often. */
  const of = (labels: Readonly<Record<string, string>>): ((by?: number) => void) => {
    const key = keyOf(labels);
    const sample = samples.get(key) ?? { labels, value: 0 };
    samples.set(key, sample);
    return (by = 1) => void (sample.value += by);
  };
  return {
    of,
    add: (labels: Readonly<Record<string, string>>, by = 1): void => of(labels)(by),
    family: (): Family => ({ name, help, type: 'counter', samples: [...samples.values()].map((one) => ({ ...one })) }),
  };
};

/** How often a value was within each of `bounds`, which are in order. */
export const createHistogram = (name: string, help: string, bounds: readonly number[]) => {
  const series = new Map<string, { labels: Readonly<Record<string, string>>; counts: number[]; sum: number }>();
  const samplesOf = ({
    labels,
    counts,
    sum,
  }: {
    labels: Readonly<Record<string, string>>;
    counts: number[];
    sum: number;
  }) => {
    let total = 0;
    const buckets = counts.map((count, place): Sample => {
      total += count;
      return { suffix: '_bucket', labels: { ...labels, le: String(bounds[place] ?? '+Inf') }, value: total };
    });
    return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
  };
  /** Notes values of what has these labels; keep it where it is called often. */
  const of = (labels: Readonly<Record<string, string>>): ((value: number) => void) => {
    const key = keyOf(labels);
    const one = series.get(key) ?? { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
    series.set(key, one);
    return (value) => {
      const place = bounds.findIndex((bound) => value <= bound);
      const at = place === -1 ? bounds.length : place;
      one.counts[at] = (one.counts[at] ?? 0) + 1;
      one.sum += value;
    };
  };
  return {
    of,
    observe: (labels: Readonly<Record<string, string>>, value: number): void => of(labels)(value),
    family: (): Family => ({ name, help, type: 'histogram', samples: [...series.values()].flatMap(samplesOf) }),
  };
};

/** A family of one kind of numbers as they are now. */
export const gauge = (name: string, help: string, samples: readonly Sample[] | number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: typeof samples === 'number' ? [{ labels: {}, value: samples }] : samples,
});

/** What several processes tell, as one: numbers of the same name and labels are added. */
export const sumOf = (told: readonly (readonly Family[])[]): Family[] => {
  const families = new Map<string, { family: Family; samples: Map<string, Sample> }>();
  for (const family of told.flat()) {
    const found = families.get(family.name) ?? { family, samples: new Map<string, Sample>() };
    families.set(family.name, found);
    for (const sample of family.samples) {
      const key = `${sample.suffix ?? ''}\n${keyOf(sample.labels)}`;
      const value = (found.samples.get(key)?.value ?? 0) + sample.value;
      found.samples.set(key, { ...sample, value });
    }
  }
  return [...families.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }));
};

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const lineOf = (name: string, { suffix = '', labels, value }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
};

/** In the text format that Prometheus reads (version 0.0.4). */
export const metricsText = (families: readonly Family[]): string =>
  families
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => lineOf(name, sample)),
      '',
    ])
    .join('\n');
