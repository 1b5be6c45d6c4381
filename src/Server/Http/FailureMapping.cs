using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Documents.Commands;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Subscriptions;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Security.Secrets;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Subscriptions;
using Raven.Storage.Errors;

namespace Raven.Server.Http;

/// <summary>
/// Maps an exception to an answer: bad input is a 4xx that says what and where; a database that cannot be used for a
/// known reason is a 503 or 507; anything else is a bug, answered 500 with an id that is in the log beside the stack
/// trace, which the client does not see unless an option allows it.
/// </summary>
internal static class FailureMapping
{
    private const int BadRequest = 400;
    private const int Forbidden = 403;
    private const int NotFound = 404;
    private const int TooLarge = 413;
    private const int InternalError = 500;
    private const int Unavailable = 503;
    private const int InsufficientStorage = 507;

    /// <summary>Answers with the failure of a handler.</summary>
    internal static void Answer(ServerState server, RequestContext request, Exception exception)
    {
        if (exception is OperationCanceledException && request.IsKilled)
        {
            ErrorResponse.Write(request, BadRequest, ErrorType.Canceled, "The query was killed before it was done.");
        }
        else if (exception is ConnectionResetException
            || (exception is OperationCanceledException && request.Aborted.IsCancellationRequested))
        {
            ServerLog.ClientGone(server.Log, request.Method, request.Path);
            request.Abort();
            request.Response.End();
        }
        else if (exception is DatabaseDeletedException deleted)
        {
            DatabaseResolver.AnswerMissing(request, deleted.DatabaseName);
        }
        else if (exception is FeedLostException lost)
        {
            ErrorResponse.WriteFeedLost(request, ErrorType.FeedLost, lost.Message, lost.Oldest);
        }
        else if (Known(server, exception) is { } failure)
        {
            if (IsOutOfMemory(exception))
            {
                server.Memory.ReleaseMemory();
            }

            if ((exception is StorageBusyException || IsOutOfMemory(exception)) && !request.Response.HasStarted)
            {
                request.Response.Headers.RetryAfter = "1";
            }

            if (IsForTheOperator(failure) && server.StorageLogThrottle.TryTake(out long more))
            {
                ServerLog.StorageRefused(
                    server.Log, request.Method, request.Path, failure.StatusCode, failure.Message, more);
            }

            if (exception is RegistryException { Reason: RegistryRefusal.Forbidden })
            {
                server.Security.Audit.Denied(
                    request.Identity, request, request.Route?.Access ?? Access.Anyone, database: default);
            }

            ErrorResponse.Write(request, failure.StatusCode, failure.Type, failure.Message);
        }
        else
        {
            AnswerBug(server, request, exception);
        }
    }

    /// <summary>The failure of an operation whose request may have ended.</summary>
    internal static FailureAnswer Describe(ServerState server, Exception exception) =>
        Known(server, exception) ?? new FailureAnswer(InternalError, ErrorType.Raven, exception.Message);

    private static FailureAnswer? Known(ServerState server, Exception exception) => exception switch
    {
        BadRequestException bad => new(bad.Status, bad.Type, bad.Message),
        ArenaLimitException memory => new(
            TooLarge, ErrorType.Argument,
            $"The request needs more than {memory.LimitBytes} bytes of memory (Limits.RequestMemoryBytesMax)."),

        TransactionTooLargeException large => new(
            TooLarge, ErrorType.Argument,
            $"The request changes more than {large.BytesMax} bytes of pages at once (Limits.MemoryBytesMax)."),

        _ when IsOutOfMemory(exception) => new(
            Unavailable, ErrorType.Timeout,
            $"The server has no memory left for this: it may use {server.Memory.LimitBytes} bytes "
            + "(Limits.MemoryBytesMax)."),

        CommandFailedException command => Of(command),
        RefusedException refused => new(StatusOf(refused.Reason), TypeOf(refused.Reason), refused.Message),
        SubscriptionException subscription => new(
            SubscriptionErrors.StatusOf(subscription.Problem), SubscriptionErrors.TypeOf(subscription.Problem),
            subscription.Message),
        FeedLostException lost => new(410, ErrorType.FeedLost, lost.Message),
        BackupException backup => new(BadRequest, ErrorType.InvalidOperation, backup.Message),
        RqlException query => new(BadRequest, ErrorType.InvalidQuery, query.Message),
        AnalyzerMissingException missing => new(BadRequest, ErrorType.AnalyzerMissing, missing.Message),
        IndexCompilationException index => new(BadRequest, ErrorType.IndexCompilation, index.Message),
        ExtensionException extension => new(BadRequest, TypeOf(extension), extension.Message),
        RegistryException registry => Of(registry),
        MasterKeyException key => new(Unavailable, ErrorType.Raven, key.Message),
        CertificateException certificate => new(BadRequest, ErrorType.Argument, certificate.Message),
        IndexLockedException index => new(BadRequest, ErrorType.Raven, index.Message),
        RegexMatchTimeoutException => new(
            BadRequest, ErrorType.InvalidQuery, "A regular expression of the query took too long."),

        // Kestrel's own: body too long or too slow, broken chunks, a client that disconnected in the middle.
        BadHttpRequestException bad => new(bad.StatusCode, ErrorType.BadRequest, bad.Message),
        OperationCanceledException when server.Stopping.IsCancellationRequested =>
            new(Unavailable, ErrorType.Canceled, "The server is stopping."),
        OperationCanceledException =>
            new(BadRequest, ErrorType.Canceled, "The operation was ended before it was done."),
        StorageIOException { IsDiskFull: true } => new(InsufficientStorage, ErrorType.DiskFull, exception.Message),
        StorageIOException { IsOutOfDescriptors: true } => new(
            Unavailable, ErrorType.DatabaseLoad, $"{exception.Message}. The process {server.Descriptors.Describe()}."),
        StorageBusyException => new(Unavailable, ErrorType.Timeout, exception.Message),
        SnapshotExpiredException => new(Unavailable, ErrorType.Timeout, exception.Message),
        DatabaseDeletedException => new(Unavailable, ErrorType.DatabaseMissing, exception.Message),
        _ when InDoubt(exception) is { } doubt => new(
            InternalError, ErrorType.WaitTimeout,
            $"Perhaps it was done: {doubt.Message}. Read what it was to change before it is sent again."),
        NotPrimaryException or DatabaseNotServingException => new(
            Unavailable, ErrorType.NoLeader, exception.Message),
        StoragePoisonedException or StorageInUseException or StorageVersionException or DatabaseFormatException
            or StorageCorruptedException => new(Unavailable, ErrorType.DatabaseLoad, exception.Message),
        _ => null,
    };

    private static FailureAnswer Of(CommandFailedException command)
    {
        (int status, string type) = CommandFailures.KindOf(command.Kind);
        return new FailureAnswer(status, type, command.Message);
    }

    private static FailureAnswer Of(RegistryException registry) => registry.Reason switch
    {
        RegistryRefusal.Forbidden => new(Forbidden, ErrorType.Authorization, registry.Message),
        RegistryRefusal.Unavailable => new(Unavailable, ErrorType.Raven, registry.Message),
        _ => new(BadRequest, ErrorType.Argument, registry.Message),
    };

    private static int StatusOf(RefusalReason reason) => reason is RefusalReason.IndexMissing ? NotFound : BadRequest;

    private static string TypeOf(RefusalReason reason) => reason switch
    {
        RefusalReason.Argument => ErrorType.Argument,
        RefusalReason.InvalidQuery => ErrorType.InvalidQuery,
        RefusalReason.IndexMissing => ErrorType.IndexMissing,
        RefusalReason.SorterMissing => ErrorType.SorterMissing,
        RefusalReason.Script => ErrorType.Script,
        RefusalReason.Stale => ErrorType.Timeout,
        _ => ErrorType.Raven,
    };

    private static string TypeOf(ExtensionException extension) => (extension.Problem, extension.Kind) switch
    {
        (ExtensionProblem.Code, ExtensionKind.Analyzer) => ErrorType.AnalyzerCompilation,
        (ExtensionProblem.Code, _) => ErrorType.SorterCompilation,
        (ExtensionProblem.InUse, _) => ErrorType.InvalidOperation,
        _ => ErrorType.InvalidQuery,
    };

    /// <summary>A commit that the group may have, directly or as the cause of another exception.</summary>
    private static CommitInDoubtException? InDoubt(Exception exception)
    {
        for (Exception? cause = exception; cause is not null; cause = cause.InnerException)
        {
            if (cause is CommitInDoubtException doubt)
            {
                return doubt;
            }
        }

        return null;
    }

    /// <summary>The system or the collector gave no memory, directly or as the cause of another exception.</summary>
    private static bool IsOutOfMemory(Exception exception)
    {
        for (Exception? cause = exception; cause is not null; cause = cause.InnerException)
        {
            if (cause is OutOfMemoryException)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>A full disk, a damaged database, or changes of who is trusted that cannot be kept, which the operator
    /// has to see too.</summary>
    private static bool IsForTheOperator(FailureAnswer failure) =>
        failure.StatusCode == InsufficientStorage || failure.Type == ErrorType.DatabaseLoad
        || failure is { StatusCode: Unavailable, Type: ErrorType.Raven };

    private static void AnswerBug(ServerState server, RequestContext request, Exception exception)
    {
        string id = server.NextErrorId();
        ServerLog.RequestFailed(server.Log, exception, id, request.Method, request.Path);

        // A trace names files, versions and values that the caller may have no right to.
        string? error = server.Options.ShowStackTraces && request.Identity.May(Access.Operator, database: default)
            ? exception.ToString()
            : null;
        ErrorResponse.Write(
            request, InternalError, ErrorType.Raven,
            $"The server failed to answer; its log tells more under error {id}.", error);
    }
}
