import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../process/app.module';
import { readEnvironment } from '../platform/config/environment';
import { completeSettings } from '../platform/config/settings';
import { ServerCertificate } from '../platform/tls/server-certificate';
import { apiDocument } from '../platform/http/openapi';

/**
 * The API description with default settings. Nothing is started: Nest's preview mode creates no instances.
 */
export async function describeApi(): Promise<OpenAPIObject> {
  const settings = completeSettings(readEnvironment({}), {
    DATABASE_URL: 'postgres://localhost/none',
    IDP_ISSUER: 'http://127.0.0.1',
    IDP_CLIENT_ID: 'none',
    SECRET_KEY: [],
  });
  const app = await NestFactory.create(AppModule.with(settings, new ServerCertificate(settings.tls)), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return apiDocument(app, settings.http.apiPrefix);
}
