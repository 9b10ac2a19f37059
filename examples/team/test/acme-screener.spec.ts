import { describeContentScreener } from 'gatehouse/testing';
import { AcmeScreener } from '../src/acme-screener.js';

describe('AcmeScreener', () => {
  const screener = new AcmeScreener();

  describeContentScreener(() => screener, {
    accepted: 'An anvil of 2 kg.',
    refused: 'Say nothing of the Roadrunner.',
  });
});
