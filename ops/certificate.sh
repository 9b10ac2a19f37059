#!/bin/sh
# Makes the certificate of the load balancer in docker-compose.yml: for this machine only, valid for a year.
# Browsers use passkeys only where they trust it, so add certificate.pem to what your browser trusts.
set -eu
folder="${1:-$(dirname "$0")/certificate}"
mkdir -p "$folder"
umask 077
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -sha256 -days 365 \
  -keyout "$folder/key.pem" -out "$folder/certificate.pem" \
  -subj '/CN=localhost' \
  -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1' \
  -addext 'extendedKeyUsage=serverAuth' 2>/dev/null
echo "made $folder/certificate.pem and $folder/key.pem"
