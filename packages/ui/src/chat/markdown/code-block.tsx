import { useEffect, useState } from 'preact/hooks';
import { t } from '../../l10n/t.ts';
import { CopyButton } from '../copy-button.tsx';
import { ScrollBox } from '../scroll-box.tsx';
import { highlighted, isLoaded, loadLanguage, MAX_HIGHLIGHTED } from './highlight.ts';

/** While it grows, only a short one is coloured again and again. */
const MAX_LIVE = 4000;

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  readonly live: boolean;
  readonly copy: (text: string) => Promise<boolean>;
}

export function CodeBlock({ code, language, live, copy }: CodeBlockProps) {
  const [, setReady] = useState(() => isLoaded(language));
  useEffect(() => {
    let gone = false;
    if (language !== '' && code.length <= MAX_HIGHLIGHTED)
      void loadLanguage(language).then((has) => has && !gone && setReady(true));
    return () => {
      gone = true;
    };
  }, [language]);
  const spans = live && code.length > MAX_LIVE ? undefined : highlighted(code, language);
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{language || t('text')}</span>
        <CopyButton text={code} copy={copy} label={t('Copy the code')} />
      </div>
      <ScrollBox class="code-text" label={language ? t('Code, {0}', language) : t('Code')}>
        <pre>
          <code>
            {spans
              ? spans.map((span, i) =>
                  span.class ? (
                    <span key={i} class={span.class}>
                      {span.text}
                    </span>
                  ) : (
                    span.text
                  ),
                )
              : code}
          </code>
        </pre>
      </ScrollBox>
    </div>
  );
}
