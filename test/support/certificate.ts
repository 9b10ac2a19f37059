export { type Certificate, selfSignedCertificate } from '#libs/platform/testing';
