import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectionsModule } from '../../connections/registry/connections.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { EventsModule } from '../../platform/events/events.module';
import { ToolRegistry } from '../../gate/ports/tool-registry';
import { RememberedTools } from './remembered-tools';
import { StoredToolRegistry } from './stored-tool-registry';
import { ToolListing } from './tool-listing';
import { McpTool } from './tool.entity';
import { ToolsController } from './tools.controller';
import { ToolsService } from './tools.service';

@Module({
  imports: [TypeOrmModule.forFeature([McpTool]), ConnectionsModule, DatabaseModule, EventsModule],
  controllers: [ToolsController],
  providers: [
    RememberedTools,
    ToolListing,
    ToolsService,
    { provide: ToolRegistry, useClass: StoredToolRegistry },
  ],
  exports: [ToolRegistry],
})
export class McpToolsModule {}
