import { CheckIcon } from '#web/ui/icons.tsx';
import { PASSWORD_RULES } from './credentials.ts';

/** The rules, before the mistake; each is ticked as soon as it is met. */
export const PasswordRules = ({ password }: { password: string }) => (
  <span className="flex flex-col gap-1 pt-0.5">
    {PASSWORD_RULES.map((rule) => {
      const isMet = rule.isMet(password);
      return (
        <span key={rule.text} className="flex items-center gap-2">
          {isMet ? (
            <CheckIcon className="size-4 shrink-0 text-success" />
          ) : (
            <span className="mx-1 size-2 shrink-0 rounded-full border border-current" aria-hidden="true" />
          )}
          <span className="text-balance">
            {rule.text}
            {isMet && <span className="sr-only"> (done)</span>}
          </span>
        </span>
      );
    })}
  </span>
);
