// What answers promise: a route, and the paths of its result fields. "[]" is each entry of a list, "*" each value of an
// object, "[Type=PUT]" the entries of a list whose Type is PUT, "header:" begins a header; what is in brackets at the end of a
// route tells apart what one route answers. Read off the client's sources and, for what it does not know, docs/http.
const record = [
    "DatabaseName", "DatabaseState", "Topology", "Topology.Members", "Topology.Promotables", "Topology.Rehabs",
    "Topology.ReplicationFactor", "Topology.DynamicNodesDistribution", "Etag", "Settings",
    "Indexes", "AutoIndexes", "IndexesHistory", "Sorters", "Analyzers", "Revisions", "RevisionsForConflicts", "Expiration",
    "Refresh", "TimeSeries", "DocumentsCompression", "ExternalReplications", "RavenConnectionStrings",
];
const metadata = prefix => ["@id", "@change-vector", "@last-modified", "@collection"].map(name => `${prefix}@metadata.${name}`);
const counter = prefix => ["DocumentId", "CounterName", "TotalValue"].map(name => `${prefix}${name}`);
const documentIncludes = [
    "Includes", ...metadata("Includes.*."), "CounterIncludes", ...counter("CounterIncludes.*[]."), "IncludedCounterNames",
    "CompareExchangeValueIncludes", ...["Key", "Index", "ChangeVector", "Value", "Value.Object"]
        .map(name => `CompareExchangeValueIncludes.*.${name}`),
];
const revisionIncludes = [
    "RevisionIncludes", ...["Id", "ChangeVector", "Before", "Revision"].map(name => `RevisionIncludes[].${name}`),
    ...metadata("RevisionIncludes[].Revision."), "RevisionIncludes[].Revision.@metadata.@flags",
];
const documents = [
    "Results", ...metadata("Results[]."),
    ...["@flags", "@counters", "@attachments", "@attachments[].Name", "@attachments[].Hash", "@attachments[].ContentType",
        "@attachments[].Size"].map(name => `Results[].@metadata.${name}`),
    ...documentIncludes, ...revisionIncludes, "header:ETag",
];
const clientConfiguration = [
    "IdentityPartsSeparator", "Disabled", "MaxNumberOfRequestsPerSession", "ReadBalanceBehavior", "LoadBalanceBehavior",
    "LoadBalancerContextSeed",
];
const streamStatistics = ["TotalResults", "IndexName", "IndexTimestamp", "IsStale", "ResultEtag"];
const attachmentHeaders = ["header:Content-Type", "header:ETag", "header:Attachment-Hash", "header:Attachment-Size"];
const attachmentResult = type => ["Type", "Id", "Name", "ChangeVector", "Hash", "ContentType", "Size", "DocumentChangeVector"]
    .map(name => `Results[Type=${type}].${name}`);
const statistics = [
    "CountOfDocuments", "CountOfIndexes", "CountOfAttachments", "CountOfUniqueAttachments", "CountOfRevisionDocuments",
    "CountOfTombstones", "CountOfConflicts", "CountOfDocumentsConflicts", "CountOfCounterEntries",
    "CountOfTimeSeriesSegments", "LastDocEtag", "LastDatabaseEtag", "DatabaseChangeVector", "DatabaseId", "Is64Bit", "Pager",
    "LastIndexingTime", "SizeOnDisk", "SizeOnDisk.SizeInBytes", "SizeOnDisk.HumaneSize", "Indexes",
    ...["Name", "IsStale", "State", "LockMode", "Priority", "Type", "SourceType", "LastIndexingTime"].map(name => `Indexes[].${name}`),
];
const queryResult = [
    "Results", "Includes", "TotalResults", "LongTotalResults", "SkippedResults", "DurationInMs", "IndexName", "IndexTimestamp",
    "LastQueryTime", "IsStale", "ResultEtag", "NodeTag", ...metadata("Results[]."),
];
const indexStatistics = [
    "Name", "EntriesCount", "IsStale", "State", "Status", "Type", "Priority", "LockMode", "Collections", "ErrorsCount",
    "MapAttempts", "MapSuccesses", "MapErrors", "LastIndexingTime", "LastQueryingTime", "CreatedTimestamp", "SourceType",
    "IsInvalidIndex", ...["LastProcessedDocumentEtag", "LastProcessedTombstoneEtag", "DocumentLag", "TombstoneLag"]
        .map(name => `Collections.*.${name}`),
].map(name => `Results[].${name}`);
const putIndexes = ["Results", "Results[].Index", "Results[].RaftCommandIndex"];
const started = ["OperationId", "OperationNodeTag"];
const changed = ["RaftCommandIndex"];

const entry = prefix => ["Timestamp", "Tag", "Values"].map(name => `${prefix}${name}`);
const range = prefix => [
    ...["Entries", "From", "To", "TotalResults", "Entries[].IsRollup"].map(name => `${prefix}${name}`), ...entry(`${prefix}Entries[].`),
];
const subscription = [
    "Query", "SubscriptionName", "SubscriptionId", "ArchivedDataProcessingBehavior", "ChangeVectorForNextBatchStartingPoint",
    "MentorNode", "LastBatchAckTime", "LastClientConnectionTime", "PinToMentorNode", "Disabled",
];
const subscriptionState = [
    ...subscription, "NodeTag", "Workers", "ShardingState", "LastError", "RaftCommandIndex", "Lag", "OwedDocuments",
    "AsideDocuments", "DocumentsSent", "BatchesAcknowledged", "Failures",
];
const place = ["Url", "Certificate", "Urls", "Port", "NodeTag", "ServerId"];
const dumped = [
    "DatabaseRecord", "Documents", "Documents.Attachments", "RevisionDocuments", "Tombstones", "Counters", "Indexes",
    "Identities", "CompareExchange", "CompareExchangeTombstones",
].flatMap(section => ["", ".Processed", ".ReadCount", ".ErroredCount", ".SkippedCount", ".SizeInBytes"].map(name => section + name))
    .concat("Documents.LastEtag", "Skipped", "Messages");

export const rows = {
    "* *": ["header:Raven-Server-Version", "header:Database-Missing", "header:Refresh-Client-Configuration"],
    "* * (error)": ["Url", "Type", "Message", "Error"],
    "* * (conflict)": ["Id", "ExpectedChangeVector", "ActualChangeVector"],
    "GET /topology": ["Nodes", "Nodes[].Url", "Nodes[].ClusterTag", "Nodes[].Database", "Nodes[].ServerRole", "Etag"],
    "GET /cluster/topology": [
        "Topology", "Topology.TopologyId", "Topology.AllNodes", "Topology.AllNodes.A", "Topology.Members", "Topology.Members.A", "Topology.Promotables",
        "Topology.Watchers", "Topology.LastNodeId", "Topology.Etag", "Etag", "Leader", "NodeTag", "CurrentTerm", "ServerRole",
        "Status",
    ],
    "GET /cluster/node-info": [
        "NodeTag", "TopologyId", "Certificate", "ClusterStatus", "NumberOfCores", "InstalledMemoryInGb", "UsableMemoryInGb",
        "BuildInfo", ...["ProductVersion", "BuildVersion", "CommitHash", "FullVersion"].map(name => `BuildInfo.${name}`),
        "ServerRole", "ServerId", "HasFixedPort", "ServerSchemaVersion",
    ],
    "GET /build/version": ["ProductVersion", "BuildVersion", "CommitHash", "FullVersion"],
    "GET /databases/*/configuration/client": [
        "Etag", "Configuration", ...clientConfiguration.map(name => `Configuration.${name}`),
    ],
    "GET /configuration/client": clientConfiguration,
    "GET /databases/*/admin/analyzers": ["Analyzers"],
    "GET /databases/*/admin/sorters": ["Sorters"],
    "GET /admin/analyzers": ["Analyzers"],
    "GET /admin/sorters": ["Sorters"],
    "PUT /admin/databases": [
        "RaftCommandIndex", "Name", "Topology", "Topology.Members", "Topology.Promotables", "Topology.Rehabs",
        "Topology.ReplicationFactor", "NodesAddedTo",
    ],
    "DELETE /admin/databases": ["RaftCommandIndex", "PendingDeletes"],
    "GET /admin/databases": record,
    "GET /databases/*/admin/record": record,
    "GET /databases": ["Databases"],
    "POST /admin/databases/enable": ["Status", "Status[].Name", "Status[].Success", "Status[].Disabled", "Status[].Reason"],
    "POST /admin/databases/disable": ["Status", "Status[].Name", "Status[].Success", "Status[].Disabled", "Status[].Reason"],
    "POST /admin/compact": started,
    "GET /operations/state": [
        "Status", "Progress", "Progress.Processed", "Progress.Total", "Result", "Result.Processed", "Result.Total",
        "Result.SizeBeforeCompactionInMb", "Result.SizeAfterCompactionInMb",
    ],
    "GET /admin/logs/configuration": [
        "CurrentMode", "Mode", "Path", "UseUtcTime", "RetentionTime", "RetentionSize", "Compress", "Logs", "Logs.CurrentMinLevel",
        "Logs.MinLevel",
    ],
    "GET /admin/requests/running": [
        "Results", "Results[].Id", "Results[].Method", "Results[].Path", "Results[].Query", "Results[].Milliseconds",
        "Results[].Detail",
    ],
    "POST /admin/requests/kill": ["Killed"],
    "GET /healthz": [
        "Status", "Databases", "Faults", "Disk", "Disk.FreeBytes", "Disk.TotalBytes", "Lag", "Lag.JournalBacklogBytes",
        "Lag.OldestReaderMilliseconds",
    ],
    "GET /databases/*/docs": [...documents, "NextPageStart"],
    "POST /databases/*/docs": documents,
    "HEAD /databases/*/docs": ["header:ETag"],
    "PUT /databases/*/docs": ["Id", "ChangeVector"],
    "PATCH /databases/*/docs": [
        "Status", "ModifiedDocument", "OriginalDocument", "ChangeVector", "Collection", "LastModified", "Debug",
        "Debug.Output", "Debug.Actions", ...metadata("ModifiedDocument."), ...metadata("OriginalDocument."),
    ],
    "GET /databases/*/hilo/next": ["Prefix", "Low", "High", "LastSize", "ServerTag", "LastRangeAt"],
    "POST /databases/*/identity/next": ["NewIdentityValue"],
    "POST /databases/*/identity/seed": ["NewSeedValue"],
    "GET /databases/*/debug/identities": ["users|"],
    "POST /databases/*/bulk_docs": [
        "Results", "TransactionIndex",
        ...["Type", "@id", "@collection", "@change-vector", "@last-modified"].map(name => `Results[Type=PUT].${name}`),
        ...["Type", "Id", "Deleted", "ChangeVector"].map(name => `Results[Type=DELETE].${name}`),
        ...["Type", "Id", "PatchStatus", "ChangeVector", "LastModified", "ModifiedDocument"]
            .map(name => `Results[Type=PATCH].${name}`),
        "Results[Type=BatchPATCH].Type", ...attachmentResult("AttachmentPUT"),
        ...["Type", "@id", "Name", "DocumentChangeVector"].map(name => `Results[Type=AttachmentDELETE].${name}`),
        ...attachmentResult("AttachmentMOVE"), ...attachmentResult("AttachmentCOPY"),
        ...["DestinationId", "DestinationName"].map(name => `Results[Type=AttachmentMOVE].${name}`),
        ...["DestinationId", "DestinationName"].map(name => `Results[Type=AttachmentCOPY].${name}`),
        ...["Type", "Id", "CountersDetail", "CountersDetail.Counters", "DocumentChangeVector"]
            .map(name => `Results[Type=Counters].${name}`),
        ...counter("Results[Type=Counters].CountersDetail.Counters[]."),
        ...["Type", "Key", "Index"].map(name => `Results[Type=CompareExchangePUT].${name}`),
        ...["Type", "Key", "Index"].map(name => `Results[Type=CompareExchangeDELETE].${name}`),
        ...["Type", "RevisionCreated", "@id", "@change-vector", "@last-modified", "@flags"]
            .map(name => `Results[Type=ForceRevisionCreation].${name}`),
    ],
    "GET /databases/*/operations/next-operation-id": ["Id", "NodeTag"],
    "GET /databases/*/operations/state": [
        "Status", "Progress", "Progress.Processed", "Progress.Total", "Result", "Result.Processed", "Result.Total", "Result.Type", "Result.Message", "Result.Error",
        "Result.StatusCode",
    ],
    "GET /databases/*/streams/docs": metadata(""),
    "WS /databases/*/changes": [
        "Type", "CommandId", "Value",
        ...["Type", "Id", "CollectionName", "ChangeVector"].map(name => `(DocumentChange).Value.${name}`),
        ...["Type", "Name", "Value", "DocumentId", "CollectionName", "ChangeVector"].map(name => `(CounterChange).Value.${name}`),
        ...["OperationId", "State", "State.Status", "State.Progress", "State.Progress.Processed", "State.Result", "State.Result.Processed"]
            .map(name => `(OperationStatusChange).Value.${name}`),
        "(IndexChange).Value.Type", "(IndexChange).Value.Name", "(AggressiveCacheChange).Type", "(Error).Type", "(Error).Exception",
    ],
    "WS /databases/*/subscriptions/ws": [
        "(ConnectionStatus).Type", "(ConnectionStatus).Status", "(Data).Type", "(Data).Data", "(Data).Data.@metadata.@id",
        "(Includes).Type", "(Includes).Includes", "(EndOfBatch).Type", "(Confirm).Type",
    ],
    "POST /databases/*/multi_get": [
        "Results", "Results[].StatusCode", "Results[].Headers", "Results[].Headers.ETag", "Results[].Result",
    ],
    "GET /databases/*/attachments": attachmentHeaders,
    "POST /databases/*/attachments": attachmentHeaders,
    "HEAD /databases/*/attachments": attachmentHeaders,
    "PUT /databases/*/attachments": ["Name", "DocumentId", "ContentType", "Hash", "ChangeVector", "Size"],
    "POST /databases/*/attachments/bulk": [
        "AttachmentsMetadata", ...["Index", "DocumentId", "Name", "ContentType", "Hash", "ChangeVector", "Size"]
            .map(name => `AttachmentsMetadata[].${name}`),
    ],
    "GET /databases/*/revisions": ["Results", "TotalResults", ...metadata("Results[]."), "Results[].@metadata.@flags"],
    "GET /databases/*/revisions/count": ["RevisionsCount"],
    "GET /databases/*/revisions/bin": ["Results", ...metadata("Results[]."), "Results[].@metadata.@flags", "ContinuationToken"],
    "GET /databases/*/revisions/diff": [
        "Id", "From", "To", "Patch", "Patch[].op", "Patch[].path", "Patch[].value", "Patch[].old",
    ],
    "GET /databases/*/revisions/config": ["Default", "Collections"],
    "POST /databases/*/admin/revisions/config": changed,
    "POST /databases/*/admin/revisions/conflicts/config": changed,
    "POST /databases/*/admin/revisions/config/enforce": started,
    "POST /databases/*/revisions/revert": started,
    "DELETE /databases/*/admin/revisions": ["TotalDeletes"],
    "GET /databases/*/counters": ["Counters", ...counter("Counters[]."), "Counters[].CounterValues"],
    "POST /databases/*/counters": ["Counters", ...counter("Counters[]."), "Counters[].CounterValues"],
    "GET /databases/*/cmpxchg": [
        "Results", "Results[].Key", "Results[].Index", "Results[].ChangeVector", "Results[].Value", "Results[].Value.Object",
        "Results[].Value.@metadata",
    ],
    "PUT /databases/*/cmpxchg": ["Index", "Value", "Value.Object", "Successful"],
    "DELETE /databases/*/cmpxchg": ["Index", "Value", "Value.Object", "Successful"],
    "GET /databases/*/expiration/config": ["Disabled", "DeleteFrequencyInSec"],
    "GET /databases/*/refresh/config": ["Disabled", "RefreshFrequencyInSec"],
    "POST /databases/*/admin/expiration/config": changed,
    "POST /databases/*/admin/refresh/config": changed,
    "POST /databases/*/admin/data-archival/config": changed,
    "POST /databases/*/admin/timeseries/config": changed,
    "PUT /databases/*/admin/timeseries/policy": changed,
    "DELETE /databases/*/admin/timeseries/policy": changed,
    "POST /databases/*/timeseries/names/config": changed,
    "POST /databases/*/admin/unique-constraints/config": changed,
    "POST /databases/*/admin/revisions/bin-cleaner/config": changed,
    "POST /databases/*/admin/schema-validation/config": changed,
    "GET /databases/*/schema-validation/config": ["ValidatorsPerCollection", "Disabled"],
    "GET /databases/*/stats": statistics,
    "GET /databases/*/stats/essential": statistics,
    "GET /databases/*/stats/detailed": [
        ...statistics, "CountOfIdentities", "CountOfCompareExchange", "CountOfCompareExchangeTombstones",
        "CountOfTimeSeriesDeletedRanges",
    ],
    "GET /databases/*/collections/stats": ["CountOfDocuments", "CountOfConflicts", "Collections"],
    "GET /databases/*/collections/stats/detailed": [
        "CountOfDocuments", "CountOfConflicts", "Collections", "Collections.*.Name", "Collections.*.CountOfDocuments",
        "Collections.*.CountOfTombstones",
    ],
    "GET /databases/*/debug/storage/report": [
        "Database", "PageSizeBytes", "Pages", "FreePages", "DataFileBytes", "JournalFileBytes", "JournalBacklogBytes",
        "JournalFilesCreated", "JournalFilesRecycled", "ScratchUsedBytes", "ScratchCommittedBytes", "LastTransactionId",
        "AppliedTransactionId", "Flushes", "Readers", "OldestReaderMilliseconds", "OldestReader", "JournalWrites",
        "JournalWriteMicrosecondsP50", "JournalWriteMicrosecondsP99", "JournalWriteMicrosecondsMax",
        "LongestFlushLockMicroseconds", "SharedCommits", "WritesPerSharedCommit", "WriteMicrosecondsP50",
        "WriteMicrosecondsP99", "WriteMicrosecondsMax", "SharedCommitSizes", "SharedCommitSizes[].WritesFrom",
        "SharedCommitSizes[].Commits", "Collections", "Collections[].Name",
        "Collections[].Documents", "Collections[].Tombstones", "Counters", "CompareExchange",
    ],
    "POST /databases/*/queries": [
        ...queryResult, "IncludedPaths", ...documentIncludes.filter(name => name !== "Includes"), ...revisionIncludes,
        "Results[].@metadata.@index-score", "Results[].@metadata.@projection", "Highlightings", "Explanations", "Timings",
        "Timings.DurationInMs", "Timings.Timings", "Timings.Timings.*.DurationInMs", "Results[].Index", "Results[].Reason",
        ...["Name", "Values", "Values[].Range", "Values[].Count", "Values[].Sum", "Values[].Min", "Values[].Max",
            "Values[].Average", "RemainingTerms", "RemainingTermsCount", "RemainingHits", "Suggestions"].map(name => `Results[].${name}`),
    ],
    "GET /databases/*/queries": queryResult,
    "PATCH /databases/*/queries": started,
    "DELETE /databases/*/queries": started,
    "POST /databases/*/streams/queries": [
        "Results", ...metadata("Results[]."), ...streamStatistics,
        "Stats", ...[...streamStatistics, "SkippedResults", "DurationInMs"].map(name => `Stats.${name}`), "Item", ...metadata("Item."),
    ],
    "GET /databases/*/streams/queries": ["Results", ...metadata("Results[]."), ...streamStatistics],
    "PUT /databases/*/admin/indexes": putIndexes,
    "PUT /databases/*/indexes": putIndexes,
    "GET /databases/*/indexes": [
        "Results", "Results[].Name", "Results[].Maps", "Results[].Type", "Results[].LockMode", "Results[].Priority",
        "Results[].State", "Results[].Fields", "Results[].SourceType", "Results[].Reduce",
        ...["Configuration", "AdditionalSources", "OutputReduceToCollection", "PatternForOutputReduceToCollectionReferences",
            "PatternReferencesCollectionName", "DeploymentMode"].map(name => `Results[].${name}`),
    ],
    "GET /databases/*/indexes/stats": ["Results", ...indexStatistics],
    "GET /databases/*/indexes/status": ["Status", "Indexes", "Indexes[].Name", "Indexes[].Status"],
    "GET /databases/*/indexes/staleness": ["IsStale", "StalenessReasons"],
    "GET /databases/*/indexes/errors": [
        "Results", "Results[].Name", "Results[].Errors", "Results[].Errors[].Error", "Results[].Errors[].Timestamp",
        "Results[].Errors[].Document", "Results[].Errors[].Action",
    ],
    "GET /databases/*/indexes/terms": ["Terms", "ResultEtag", "IndexName"],
    "GET /databases/*/indexes/performance": [
        "Results", "Results[].Name", "Results[].Batches", "Results[].Entries", "Results[].TotalDurationInMs",
        "Results[].LastDurationInMs", "Results[].LastDocuments",
    ],
    "POST /databases/*/indexes/has-changed": ["Changed"],
    "GET /databases/*/timeseries": [...range(""), "header:ETag"],
    "GET /databases/*/timeseries/ranges": ["Id", "Values", "Values.Heart", ...range("Values.*[].")],
    "GET /databases/*/timeseries/stats": [
        "DocumentId", "TimeSeries", ...["Name", "NumberOfEntries", "StartDate", "EndDate"].map(name => `TimeSeries[].${name}`),
    ],
    "GET /databases/*/timeseries/debug/segments-summary": [
        "Results", ...["DocumentId", "Name", "ChangeVector", "StartTime", "EndTime", "NumberOfEntries", "NumberOfValues",
            "SizeInBytes", "IsOpen"].map(name => `Results[].${name}`),
    ],
    "GET /databases/*/streams/timeseries": entry(""),
    "POST /databases/*/streams/timeseries": ["Entries"],
    "PUT /databases/*/subscriptions": ["Name", "RaftCommandIndex"],
    "POST /databases/*/subscriptions/update": ["Name", "RaftCommandIndex"],
    "GET /databases/*/subscriptions": ["Results", ...subscriptionState.map(name => `Results[].${name}`)],
    "GET /databases/*/subscriptions/state": subscriptionState,
    "GET /databases/*/task": [
        ...subscription, "TaskId", "TaskType", "TaskName", "TaskState", "TaskConnectionStatus", "Error",
        "ChangeVectorForNextBatchStartingPointPerShard", "ResponsibleNode",
        ...["NodeTag", "NodeUrl", "ResponsibleNode"].map(name => `ResponsibleNode.${name}`),
    ],
    "POST /databases/*/admin/tasks/state": ["TaskId", "RaftCommandIndex", "ResponsibleNode"],
    "POST /databases/*/subscriptions/batch": [
        "BatchId", "LeaseUntil", "Position", "Items", "Includes", ...["Id", "ChangeVector", "Data"].map(name => `Items[].${name}`),
    ],
    "POST /databases/*/subscriptions/batch/extend": ["LeaseUntil"],
    "POST /databases/*/subscriptions/resend": ["Count"],
    "GET /databases/*/subscriptions/aside": ["Results"],
    "POST /databases/*/subscriptions/try": ["Results", "Includes", "Results[].@metadata"],
    "GET /databases/*/feed": [
        "Results", "Token", ...["Token", "Id", "ChangeVector", "Doc"].map(name => `Results[].${name}`),
    ],
    "GET /info/tcp": place,
    "GET /databases/*/info/tcp": place,
    "GET /info/remote-task/tcp": place,
    "POST /databases/*/smuggler/import": dumped,
    "POST /databases/*/smuggler/import/csv": dumped,
    "POST /databases/*/admin/periodic-backup": ["TaskId", "RaftCommandIndex"],
    "GET /periodic-backup": ["TaskId", "Name", "FullBackupFrequency", "LocalSettings", "LocalSettings.FolderPath"],
    "GET /databases/*/admin/backup-data-directory": [
        "List", ...["NodeTag", "FullPath", "FreeSpaceInBytes", "TotalSpaceInBytes", "Error"].map(name => `List[].${name}`),
    ],
    "POST /studio-tasks/periodic-backup/test-credentials": ["Success", "Error"],
    "PUT /admin/configuration/server-wide/backup": ["Name", "RaftCommandIndex"],
    "GET /admin/configuration/server-wide/tasks": [
        "Results", ...["TaskId", "Name", "FullBackupFrequency", "LocalSettings", "LocalSettings.FolderPath",
            "ExcludedDatabases"].map(name => `Results[].${name}`),
    ],
    "POST /databases/*/admin/backup/database": ["ResponsibleNode", "OperationId"],
    "POST /databases/*/admin/backup": ["ResponsibleNode", "OperationId"],
    "GET /periodic-backup/status": [
        "Status", ...[
            "TaskId", "CreatedAt", "BackupType", "IsFull", "NodeTag", "DurationInMs", "LastOperationId", "LastFullBackup",
            "LocalBackup", "LocalBackup.BackupDirectory", "LocalBackup.FileName", "LocalBackup.TempFolderUsed",
            "LocalBackup.Exception", "LastEtag", "LastRaftIndex", "LastRaftIndex.LastEtag", "LastDatabaseChangeVector",
            "FolderName", "IsEncrypted", "DelayUntil", "Error", "History", "History[].At", "History[].IsFull",
            "History[].FileName", "History[].SizeInBytes", "LastVerified", "LastVerified.At", "LastVerified.Mode",
            "LastVerified.SizeInBytes",
        ].map(name => `Status.${name}`),
    ],
    "GET /databases/*/admin/periodic-backup/config": ["LocalRootPath", "AllowedDestinations", "AllowedAwsRegions"],
    "GET /databases/*/admin/backup/running": ["OnGoingBackup"],
    "POST /admin/restore/points": [
        "List", ...[
            "DateTime", "Location", "FileName", "DatabaseName", "IsSnapshotRestore", "IsEncrypted", "IsIncremental",
            "FilesToRestore", "SizeInBytes",
        ].map(name => `List[].${name}`),
    ],
    "POST /admin/backup/verify": started,
    "POST /admin/restore/database": started,
    "GET /studio-tasks/next-cron-expression-occurrence": ["IsValid", "ErrorMessage", "Utc", "ServerTime"],
    "DELETE /databases/*/admin/tasks": ["TaskId", "RaftCommandIndex", "ResponsibleNode"],
    "GET /databases/*/admin/tombstones/state": [
        "MinAllDocsEtag", "Tombstones", "Removed", "Results",
        ...["Collection", "Tombstones", "ForgottenEtag", "Documents", "Documents.Component", "Documents.Etag"]
            .map(name => `Results[].${name}`),
    ],
    "POST /databases/*/admin/tombstones/cleanup": ["Value"],
    "GET /databases/*/changes/debug": [
        "Connections", "Connections[].Id", "Connections[].WaitingSizeInBytes", "Connections[].Watches",
        "Connections[].Watches[].Kind", "Connections[].Watches[].Key",
    ],
};

/** Routes whose answers have no fields: nothing, what was sent, or text for others than clients of this API. */
export const withoutFields = [
    "GET /databases/*/healthcheck", "PUT /databases/*/admin/configuration/client", "PUT /admin/configuration/client",
    "POST /admin/databases/set-lock", "PUT /databases/*/admin/configuration/settings", "POST /admin/logs/configuration",
    "DELETE /databases/*/docs", "PUT /databases/*/hilo/return", "POST /databases/*/bulk_insert",
    "POST /databases/*/operations/kill", "POST /admin/operations/kill", "DELETE /databases/*/attachments", "GET /metrics",
    "GET /openapi.json", "DELETE /databases/*/indexes", "RESET /databases/*/indexes", "DELETE /databases/*/indexes/errors",
    "POST /databases/*/indexes/set-lock", "POST /databases/*/indexes/set-priority", "POST /databases/*/admin/indexes/start",
    "POST /databases/*/admin/indexes/stop", "POST /databases/*/admin/indexes/enable",
    "POST /databases/*/admin/indexes/disable", "PUT /databases/*/admin/analyzers", "PUT /databases/*/admin/sorters",
    "PUT /admin/analyzers", "PUT /admin/sorters", "DELETE /databases/*/admin/analyzers", "DELETE /databases/*/admin/sorters",
    "DELETE /admin/analyzers", "DELETE /admin/sorters", "POST /databases/*/studio/sample-data",
    "POST /databases/*/timeseries", "DELETE /databases/*/subscriptions", "POST /databases/*/subscriptions/drop",
    "POST /databases/*/subscriptions/batch/ack", "POST /databases/*/subscriptions/batch/nack",
    "POST /databases/*/smuggler/export", "GET /databases/*/smuggler/export",
    "POST /databases/*/smuggler/validate-options",
    "GET /databases/*/subscriptions/stream", "POST /admin/backup-task/delay",
    "DELETE /admin/configuration/server-wide/task", "POST /admin/configuration/server-wide/state",
];

/**
 * Routes of who may do what. A server without a certificate, as that of the scenarios, asks no caller; what these
 * answer, field by field, is in the tests of security of the server itself.
 */
export const ofIdentities = [
    "GET /admin/certificates", "POST /admin/certificates", "PUT /admin/certificates", "DELETE /admin/certificates",
    "POST /admin/certificates/edit", "DELETE /admin/certificates/purge", "GET /admin/certificates/export",
    "POST /admin/certificates/refresh", "POST /admin/certificates/replace-cluster-cert", "GET /certificates/whoami",
    "GET /admin/api-keys", "POST /admin/api-keys", "PUT /admin/api-keys", "DELETE /admin/api-keys",
    "POST /admin/api-keys/rotate", "GET /admin/audit-log/verify",
];

/**
 * Routes for collectors, operators, the Studio and rules of our own, which no command of the official client calls. What these answer is in
 * the tests of the server itself.
 */
export const ofOperators = [
    "GET /admin/configuration/client", "GET /admin/configuration/settings", "GET /admin/configuration/studio",
    "GET /admin/debug/cpu/stats",
    "GET /admin/debug/databases/idle", "GET /admin/debug/info-package", "GET /admin/debug/memory/stats",
    "GET /admin/debug/threads/runaway", "GET /admin/logs/download", "GET /admin/logs/lines", "GET /admin/logs/watch",
    "GET /admin/metrics", "GET /admin/monitoring/v1/collections", "GET /admin/monitoring/v1/databases",
    "GET /admin/monitoring/v1/indexes", "GET /admin/monitoring/v1/prometheus", "GET /admin/monitoring/v1/server",
    "GET /admin/requests/slow", "GET /admin/stats", "GET /admin/traffic-watch", "GET /configuration/studio",
    "GET /databases/*/admin/configuration/client", "GET /databases/*/admin/configuration/settings",
    "GET /databases/*/admin/smuggler/import", "GET /databases/*/configuration/studio", "GET /databases/*/tasks",
    "GET /databases/*/data-archival/config", "GET /databases/*/debug/documents/huge",
    "GET /databases/*/debug/info-package", "GET /databases/*/debug/io-metrics",
    "GET /databases/*/debug/queries/cache/list", "GET /databases/*/debug/queries/running",
    "GET /databases/*/debug/queries/slow", "GET /databases/*/metrics", "GET /databases/*/notification-center/watch",
    "GET /databases/*/notifications", "GET /databases/*/operations", "GET /databases/*/revisions/bin-cleaner/config",
    "GET /databases/*/schema-validation/violations", "GET /databases/*/timeseries/config",
    "GET /databases/*/unique-constraints/config", "GET /databases/*/unique-constraints/state", "GET /debug/routes",
    "GET /debug/server-id", "GET /healthz/ready", "GET /server/notification-center/watch", "GET /server/notifications",
    "GET /setup/alive", "POST /admin/databases/attach", "POST /admin/databases/indexing", "POST /admin/drain",
    "POST /databases/*/admin/restart",
    "POST /databases/*/debug/queries/kill", "PUT /admin/configuration/studio",
    "PUT /databases/*/admin/configuration/studio", "DELETE /studio/session", "GET /",
    "GET /databases/*/studio/collections/fields", "GET /databases/*/studio/documents", "GET /operations", "GET /studio",
    "GET /studio/$", "GET /studio/a/*/$", "GET /studio/databases", "POST /databases/*/studio/queries/check",
    "POST /studio/session",
];

/**
 * Routes of a cluster: a server without one, as that of the scenarios, answers 501. What a node of a cluster answers is in the tests of the
 * server itself.
 */
export const ofClusters = [
    "PUT /admin/cluster/node", "DELETE /admin/cluster/node", "POST /admin/cluster/promote", "POST /admin/cluster/demote",
    "GET /admin/cluster/health", "PUT /admin/databases/node", "POST /admin/databases/promote", "POST /admin/databases/primary",
    "POST /admin/databases/reorder", "POST /admin/databases/topology/modify",
    // Frames between nodes.
    "GET /replication/log",
];
