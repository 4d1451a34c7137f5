import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from './app.module';
import { readEnvironment } from './config/environment';
import { completeSettings } from './config/settings';
import { ServerCertificate } from './tls/server-certificate';
import { apiDocument } from './http/openapi';

/** The API description with default settings. Nothing is started: Nest's preview mode creates no instances. */
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
