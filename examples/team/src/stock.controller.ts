import { BadRequestException, Controller, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { readBytes, SessionGuard } from 'gatehouse/accounts';
import { StockService } from './stock.service.js';

const MAX_LIST_BYTES = 256;
const LINE = /^(small|large),(\d{1,4})$/;

/** For the site's own pages: which anvils of a shopping list, a CSV file, there are too few of. */
@Controller('acme/stock')
@UseGuards(SessionGuard)
export class StockController {
  constructor(private readonly stock: StockService) {}

  @Post('missing')
  async missing(@Req() request: Request) {
    const bytes = await readBytes(request, MAX_LIST_BYTES, request.headers['content-length']);
    return { missing: await this.missingOf(bytes.toString().trim().split('\n')) };
  }

  private async missingOf(lines: readonly string[]) {
    const missing: string[] = [];
    for (const line of lines) {
      const [, size, count] = LINE.exec(line) ?? [];
      if (size === undefined) throw new BadRequestException('a line is <size>,<count>');
      if ((await this.stock.countOf(size)) < Number(count)) missing.push(size);
    }
    return missing;
  }
}
