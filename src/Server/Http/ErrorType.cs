namespace Raven.Server.Http;

/// <summary>
/// The <c>Type</c> of an error answer: full .NET names, of which clients read the last segment. The names with
/// <c>Raven.Client.Exceptions</c> are part of the public HTTP API.
/// </summary>
internal static class ErrorType
{
    internal const string BadRequest = "Raven.Client.Exceptions.BadRequestException";
    internal const string InvalidJson = "System.IO.InvalidDataException";
    internal const string InvalidOperation = "System.InvalidOperationException";
    internal const string Argument = "System.ArgumentException";
    internal const string NotSupported = "System.NotSupportedException";
    internal const string RouteNotFound = "Raven.Client.Exceptions.Routing.RouteNotFoundException";
    internal const string DatabaseMissing = "Raven.Client.Exceptions.Database.DatabaseDoesNotExistException";
    internal const string DatabaseDisabled = "Raven.Client.Exceptions.Database.DatabaseDisabledException";
    internal const string DatabaseRestoring = "Raven.Client.Exceptions.Database.DatabaseRestoringException";
    internal const string DatabaseNotRelevant = "Raven.Client.Exceptions.Database.DatabaseNotRelevantException";
    internal const string NoLeader = "Raven.Client.Exceptions.Cluster.NoLeaderException";
    internal const string DatabaseLoad = "Raven.Client.Exceptions.Database.DatabaseLoadFailureException";
    internal const string DocumentMissing = "Raven.Client.Exceptions.Documents.DocumentDoesNotExistException";
    internal const string AttachmentMissing =
        "Raven.Client.Exceptions.Documents.Attachments.AttachmentDoesNotExistException";

    internal const string Concurrency = "Raven.Client.Exceptions.ConcurrencyException";
    internal const string NotUnique = "Raven.Client.Exceptions.Documents.UniqueConstraintException";
    internal const string SchemaValidation =
        "Raven.Client.Exceptions.SchemaValidation.SchemaValidationException";

    internal const string ClusterConcurrency =
        "Raven.Client.Exceptions.Cluster.ClusterTransactionConcurrencyException";

    internal const string Script = "Raven.Client.Exceptions.Documents.Patching.JavaScriptException";
    internal const string BulkInsertAborted =
        "Raven.Client.Exceptions.Documents.BulkInsert.BulkInsertAbortedException";

    internal const string InvalidQuery = "Raven.Client.Exceptions.InvalidQueryException";
    internal const string IndexMissing = "Raven.Client.Exceptions.Documents.Indexes.IndexDoesNotExistException";
    internal const string AnalyzerMissing =
        "Raven.Client.Exceptions.Documents.Analyzers.AnalyzerDoesNotExistException";

    internal const string SorterMissing = "Raven.Client.Exceptions.Documents.Sorters.SorterDoesNotExistException";
    internal const string CompareExchangeKeyTooBig = "Raven.Client.Exceptions.CompareExchangeKeyTooBigException";
    internal const string WaitTimeout = "Raven.Client.Exceptions.RavenTimeoutException";
    internal const string IndexCompilation =
        "Raven.Client.Exceptions.Documents.Compilation.IndexCompilationException";

    internal const string AnalyzerCompilation =
        "Raven.Client.Exceptions.Documents.Compilation.AnalyzerCompilationException";

    internal const string SorterCompilation =
        "Raven.Client.Exceptions.Documents.Compilation.SorterCompilationException";

    internal const string FeedLost = "Raven.Client.Exceptions.Documents.Subscriptions.FeedHistoryLostException";
    internal const string Authentication = "Raven.Client.Exceptions.Security.AuthenticationException";
    internal const string Authorization = "Raven.Client.Exceptions.Security.AuthorizationException";
    internal const string Raven = "Raven.Client.Exceptions.RavenException";
    internal const string Timeout = "System.TimeoutException";
    internal const string Canceled = "System.OperationCanceledException";
    internal const string DiskFull = "Raven.Client.Exceptions.Server.DiskFullException";

    /// <summary>
    /// The text of an <c>Error</c>: it begins with the type. Clients show only this text, and their users look for the
    /// name of the exception in it.
    /// </summary>
    internal static string Before(string type, string error) =>
        error.StartsWith(type, StringComparison.Ordinal) ? error : $"{type}: {error}";
}
