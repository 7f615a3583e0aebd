import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { appealDecision, MAX_APPEAL_LENGTH, type OwnDecision, type ReportAction } from '#contract/admin/reports.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { call } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { Section, SectionList } from './section.tsx';

const DONE: Readonly<Record<ReportAction, string>> = {
  'no-fault': 'Nothing was found',
  warn: 'A warning',
  hide: 'No longer shown',
  suspend: 'Your account was suspended',
  delete: 'Deleted',
};

const AppealForm = ({ one, onDone }: { one: OwnDecision; onDone: () => void }) => {
  const { revalidate } = useRevalidator();
  const form = useForm({
    names: ['words'],
    draft: false,
    check: ({ words }): FieldErrors => (words.trim() === '' ? { words: 'Say why it is a mistake' } : {}),
    send: async ({ words }) => {
      await call(appealDecision, { params: { id: one._id }, body: { words } });
      toast('Appeal sent', { text: 'Another admin looks at it.' });
      onDone();
      await revalidate();
    },
  });
  return (
    <form {...form.props} className="mt-3 flex flex-col gap-3">
      <TextArea
        {...form.field('words')}
        label="Why it is a mistake"
        hint="Another admin reads it. You can appeal once."
        rows={4}
        maxLength={MAX_APPEAL_LENGTH}
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} look="secondary" className="self-start">
        Send appeal
      </Button>
    </form>
  );
};

const appealWords = ({ appeal, appealUpheld }: OwnDecision): string => {
  if (appeal === '') return '';
  if (appealUpheld === null) return 'You appealed: another admin looks at it.';
  return appealUpheld ? 'You appealed, and the decision stays.' : 'You appealed, and the decision was taken back.';
};

const Decision = ({ one }: { one: OwnDecision }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="p-4">
      <p className="font-semibold wrap-anywhere">{one.title}</p>
      <p className="text-sm text-muted">
        {DONE[one.decision]} · <Time at={one.at} as="date" />
      </p>
      <p dir="auto" className="mt-1 break-words">
        {one.reason}
      </p>
      {appealWords(one) !== '' && <p className="mt-1 text-sm text-muted">{appealWords(one)}</p>}
      {one.mayAppeal && !isOpen && (
        <Button look="secondary" size="sm" className="mt-3" onClick={() => setIsOpen(true)}>
          Appeal<span className="sr-only">: {one.title}</span>
        </Button>
      )}
      {one.mayAppeal && isOpen && <AppealForm one={one} onDone={() => setIsOpen(false)} />}
    </li>
  );
};

/** What the shop decided about whoever is signed in, why, and the way to appeal; nothing where there is none. */
export const DecisionsSection = ({ decisions }: { decisions: readonly OwnDecision[] }) =>
  decisions.length === 0 ? null : (
    <div id="decisions" className="scroll-mt-4">
      <Section title="Decisions" about="What the shop decided about you or your books, and why.">
        <SectionList label="Decisions">
          {decisions.map((one) => (
            <Decision key={one._id} one={one} />
          ))}
        </SectionList>
      </Section>
    </div>
  );
