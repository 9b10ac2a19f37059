import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';

/** A sign-in challenge that was presented. A second insert fails, so that each is used once. */
@Entity('taken_challenges')
export class TakenChallengeEntity {
  @PrimaryColumn('varchar', { name: 'challenge_hash', length: 43 })
  challengeHash!: string;

  @Index('taken_challenges_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
