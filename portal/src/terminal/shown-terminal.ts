import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { meta } from '../shell/meta';
import { createUnderPolicy } from './created-under-policy';

interface Options {
  /** Name of the terminal for people who do not see it. */
  readonly label: string;
  /** Called when the person leaves the terminal by keyboard. */
  readonly leave: () => void;
}

/** A terminal of xterm.js in an element of the page, whose size it has. */
export class ShownTerminal {
  readonly terminal = new Terminal({
    fontFamily: 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize: 14,
    screenReaderMode: true,
    // Links in the output of a server lead nowhere.
    linkHandler: { activate: () => undefined },
  });
  private readonly fit = new FitAddon();
  private readonly watcher: ResizeObserver;
  private readonly release = createUnderPolicy(meta('csp-nonce'));

  constructor(place: HTMLElement, { label, leave }: Options) {
    const { terminal, fit } = this;
    terminal.loadAddon(fit);
    terminal.open(place);
    terminal.textarea?.setAttribute('aria-label', label);
    fit.fit();
    // Tab belongs to the shell, so people without a pointer need another way out (WCAG 2.1.2).
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.key !== 'F6' || !event.ctrlKey) return true;
      event.preventDefault();
      if (event.type === 'keydown') leave();
      return false;
    });
    // It has no size while another tab of the page is shown.
    this.watcher = new ResizeObserver(() => place.clientWidth > 0 && fit.fit());
    this.watcher.observe(place);
    terminal.focus();
  }

  /** Takes no more input. What was shown stays. */
  end(): void {
    this.terminal.options.disableStdin = true;
  }

  dispose(): void {
    this.watcher.disconnect();
    this.terminal.dispose();
    this.release();
  }
}
