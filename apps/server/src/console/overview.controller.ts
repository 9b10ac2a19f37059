import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { AllowRoutedMethods } from '#libs/accounts';
import { type Fragment, html } from '#libs/ui-templates';
import { mayAs } from '../admin/operation/operation.js';
import { ReplicaService } from '../admin/replica.service.js';
import { ReadinessService } from '../observability/health/readiness.service.js';
import { type OutboxFigures, readOutboxFigures } from '../outbox/outbox.store.js';
import { CONSOLE_OPTIONS, type ConsoleOptions } from './console.module-definition.js';
import { Viewing } from './console.guard.js';
import { consolePage, type SignedInView } from './console-page.js';
import { FiguresStore } from './figures.store.js';
import { chart, facts, number, section, capitalized, table, value } from './parts.js';
import { send } from './send.js';

@Controller('console')
@AllowRoutedMethods()
export class OverviewController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly readiness: ReadinessService,
    private readonly replica: ReplicaService,
    private readonly figures: FiguresStore,
    @Inject(CONSOLE_OPTIONS) private readonly options: ConsoleOptions,
  ) {}

  @Get()
  async showOverview(@Viewing() view: SignedInView, @Res() response: Response) {
    const [health, figures, outbox] = await Promise.all([
      this.readiness.read([]),
      this.figures.read(Date.now()),
      readOutboxFigures(this.dataSource),
    ]);
    const { version, node, startedAt, modules, load, hub } = this.replica.show();
    const dependencies = Object.entries(health.dependencies).map(
      ([name, { status, durationMs }]) => [name, status, `${durationMs} ms`],
    );
    const down = Object.entries(health.dependencies).flatMap(([name, { status, readOnly }]) =>
      status === 'up' && !readOnly ? [] : [name],
    );
    const main = [
      section('attention', 'What needs attention', this.attention(outbox, down)),
      section(
        'figures',
        'The last 24 hours',
        html`<div class="figures">${figures.map(({ title, hours }) => chart(title, hours))}</div>`,
      ),
      section(
        'health',
        'Dependencies',
        table('Dependencies', ['Name', 'Status', 'Answered in'], dependencies),
      ),
      section('replica', 'This replica', [
        facts({ version, node, startedAt, tabs: hub.tabs, requestsAtWork: load.requestsAtWork }),
        moduleList(modules),
      ]),
    ];
    send(response, consolePage(view, 'Overview', main));
  }

  @Get('settings')
  showSettings(@Viewing() view: SignedInView, @Res() response: Response) {
    const { adapters, modules } = this.replica.show();
    const isAdmin = mayAs(view.session.role, 'admin');
    const settings = this.options.settings.map(({ name, value: shown, source, file }) => [
      html`<code>${name}</code>`,
      name.endsWith('_FILE') && !isAdmin && shown !== ''
        ? 'Set, shown to admin alone'
        : value(shown),
      file === undefined || !isAdmin ? source : html`${source} ${file}`,
    ]);
    const main = [
      section('findings', 'What the doctor says', findings([...this.options.findings()])),
      section('variables', 'Variables', table('Variables', ['Name', 'Value', 'From'], settings)),
      section('adapters', 'Ports and their adapters', facts(adapters)),
      section('modules', 'Modules', moduleList(modules)),
    ];
    send(response, consolePage(view, 'Settings', main));
  }

  private attention(
    { waiting, dead, oldestAgeMs }: OutboxFigures,
    down: readonly string[],
  ): Fragment {
    const wrong = [...this.options.findings()].filter(({ severity }) => severity !== 'ok');
    const late = dead > 0 || oldestAgeMs > LATE_MS;
    if (!late && wrong.length === 0 && down.length === 0) {
      return html`<p>
        Nothing. Dependencies answer, no delivery is late, and no setting contradicts another.
      </p>`;
    }
    const away = down.map(
      (name) =>
        html`<p class="notice warning">${capitalized(name)} does not work as it should.</p>`,
    );
    const failed = html`<p class="notice warning">
      Events are not delivered: ${number(dead)} were given up, ${number(waiting)} wait, the oldest
      for ${number(Math.round(oldestAgeMs / 60_000))} minutes.
      <a href="/console/deliveries${dead > 0 ? '?state=dead' : ''}">Look at the deliveries</a>
    </p>`;
    return [away, late ? failed : '', findings(wrong)];
  }
}

/** A first attempt that fails is made again within a minute. */
const LATE_MS = 5 * 60_000;

const moduleList = (modules: readonly string[]) =>
  html`<details>
    <summary>Modules</summary>
    ${value(modules)}
  </details>`;

const findings = (
  found: readonly { severity: string; text: string; remedy?: string }[],
): Fragment =>
  found.map(
    ({ severity, text, remedy }) =>
      html`<p class="${severity === 'ok' ? '' : 'notice warning'}">
        ${severity === 'ok' ? capitalized(text) : html`<strong>${capitalized(severity)}:</strong> ${text}`}${
          remedy === undefined ? '.' : html`<br /><span class="quiet">${remedy}</span>`
        }
      </p>`,
  );
