using System.Text.Json;
using Raven.Client.Exceptions.Cluster;
using Raven.Client.Exceptions.Database;
using Raven.Client.Exceptions.Documents;
using Raven.Client.Exceptions.Documents.Analyzers;
using Raven.Client.Exceptions.Documents.Attachments;
using Raven.Client.Exceptions.Documents.BulkInsert;
using Raven.Client.Exceptions.Documents.Indexes;
using Raven.Client.Exceptions.Documents.Patching;
using Raven.Client.Exceptions.Documents.Sorters;
using Raven.Client.Exceptions.Documents.Subscriptions;
using Raven.Client.Exceptions.Routing;
using Raven.Client.Exceptions.SchemaValidation;
using Raven.Client.Exceptions.Security;
using Raven.Client.Exceptions.Server;

namespace Raven.Client.Exceptions;

/// <summary>Makes the exception of an error answer, by the last segment of its <c>Type</c>.</summary>
internal static class ExceptionFactory
{
    private static readonly Dictionary<string, Func<string, RavenException>> ByType = new()
    {
        [nameof(BadRequestException)] = message => new BadRequestException(message),
        ["InvalidDataException"] = message => new BadRequestException(message),
        ["ArgumentException"] = message => new BadRequestException(message),
        [nameof(ConcurrencyException)] = message => new ConcurrencyException(message),
        [nameof(SchemaValidationException)] = message => new SchemaValidationException(message),
        [nameof(UniqueConstraintException)] = message => new UniqueConstraintException(message),
        [nameof(ClusterTransactionConcurrencyException)] = message =>
            new ClusterTransactionConcurrencyException(message),
        [nameof(InvalidQueryException)] = message => new InvalidQueryException(message),
        [nameof(RouteNotFoundException)] = message => new RouteNotFoundException(message),
        [nameof(DatabaseDoesNotExistException)] = message => new DatabaseDoesNotExistException(message),
        [nameof(DatabaseNotRelevantException)] = message => new DatabaseNotRelevantException(message),
        [nameof(NoLeaderException)] = message => new NoLeaderException(message),
        [nameof(DatabaseDisabledException)] = message => new DatabaseDisabledException(message),
        [nameof(DatabaseLoadFailureException)] = message => new DatabaseLoadFailureException(message),
        [nameof(DocumentDoesNotExistException)] = message => new DocumentDoesNotExistException(message),
        [nameof(AttachmentDoesNotExistException)] = message => new AttachmentDoesNotExistException(message),
        [nameof(JavaScriptException)] = message => new JavaScriptException(message),
        [nameof(BulkInsertAbortedException)] = message => new BulkInsertAbortedException(message),
        [nameof(IndexDoesNotExistException)] = message => new IndexDoesNotExistException(message),
        [nameof(IndexCompilationException)] = message => new IndexCompilationException(message),
        [nameof(SecurityException)] = message => new SecurityException(message),
        [nameof(AuthenticationException)] = message => new AuthenticationException(message),
        [nameof(AuthorizationException)] = message => new AuthorizationException(message),
        [nameof(CertificateNameMismatchException)] = message => new CertificateNameMismatchException(message),
        [nameof(DiskFullException)] = message => new DiskFullException(message),
        [nameof(AnalyzerDoesNotExistException)] = message => new AnalyzerDoesNotExistException(message),
        [nameof(SorterDoesNotExistException)] = message => new SorterDoesNotExistException(message),
        [nameof(CompareExchangeKeyTooBigException)] = message => new CompareExchangeKeyTooBigException(message),
        [nameof(RavenTimeoutException)] = message => new RavenTimeoutException(message),
        [nameof(SubscriptionDoesNotExistException)] = message => new SubscriptionDoesNotExistException(message),
        [nameof(SubscriptionNameException)] = message => new SubscriptionNameException(message),
        [nameof(SubscriptionCreationException)] = message => new SubscriptionCreationException(message),
        [nameof(SubscriptionInvalidStateException)] = message => new SubscriptionInvalidStateException(message),
        [nameof(SubscriptionInUseException)] = message => new SubscriptionInUseException(message),
        [nameof(SubscriptionClosedException)] = message => new SubscriptionClosedException(message),
        [nameof(FeedHistoryLostException)] = message => new FeedHistoryLostException(message),
        [nameof(SubscriptionMessageTypeException)] = message => new SubscriptionMessageTypeException(message),
        [nameof(SubscriptionChangeVectorUpdateConcurrencyException)] = message =>
            new SubscriptionChangeVectorUpdateConcurrencyException(message),
        [nameof(TimeoutException)] = message => new RavenTimeoutException(message),
    };

    /// <summary>The exception of an answer.</summary>
    /// <param name="status">Its HTTP status.</param>
    /// <param name="url">The path and query of the request.</param>
    /// <param name="body">The body, which should be the error's JSON; anything else is quoted.</param>
    internal static RavenException FromAnswer(int status, string url, ReadOnlyMemory<byte> body)
    {
        if (!TryParse(body, out JsonElement json))
        {
            string text = System.Text.Encoding.UTF8.GetString(body.Span[..Math.Min(body.Length, 500)]);
            RavenException plain = FromStatus(status, $"{url} was answered {status}: {text}");
            plain.StatusCode = status;
            plain.RequestUrl = url;
            return plain;
        }

        string message = Text(json, "Message") ?? Text(json, "Error") ?? $"{url} was answered {status}.";
        string? type = Text(json, "Type");
        RavenException exception = FromType(type, message);
        if (status is 401 or 403 && exception.GetType() == typeof(RavenException))
        {
            exception = FromStatus(status, message);
            exception.ServerType = type;
        }

        exception.StatusCode = status;
        exception.RequestUrl = url;
        exception.ServerError = Text(json, "Error");
        if (exception is ConcurrencyException conflict)
        {
            conflict.Id = Text(json, "Id");
            conflict.ExpectedChangeVector = Text(json, "ExpectedChangeVector");
            conflict.ActualChangeVector = Text(json, "ActualChangeVector");
        }

        if (exception is UniqueConstraintException unique)
        {
            unique.Holder = Text(json, "Holder");
            unique.Collection = Text(json, "Collection");
            unique.Constraint = Text(json, "Constraint");
            unique.Fields = Texts(json, "Fields");
            unique.Values = Texts(json, "Values");
        }

        if (exception is RavenTimeoutException late
            && json.TryGetProperty("Results", out JsonElement results) && results.ValueKind == JsonValueKind.Array)
        {
            late.BatchResults = results;
        }

        return exception;
    }

    /// <summary>The exception of a full type name; the base type if the client has none of that name.</summary>
    internal static RavenException FromType(string? type, string message)
    {
        string name = type?[(type.LastIndexOf('.') + 1)..] ?? "";
        RavenException exception =
            ByType.TryGetValue(name, out Func<string, RavenException>? make) ? make(message) : new(message);
        exception.ServerType = type;
        return exception;
    }

    /// <summary>The exception of an answer that names none: perhaps of a proxy that lets callers in itself.</summary>
    private static RavenException FromStatus(int status, string message) => status switch
    {
        401 => new AuthenticationException(message),
        403 => new AuthorizationException(message),
        _ => new RavenException(message),
    };

    private static bool TryParse(ReadOnlyMemory<byte> body, out JsonElement json)
    {
        json = default;
        var reader = new Utf8JsonReader(body.Span);
        try
        {
            if (JsonElement.TryParseValue(ref reader, out JsonElement? parsed))
            {
                json = parsed.Value;
                return json.ValueKind == JsonValueKind.Object;
            }
        }
        catch (JsonException)
        {
            // A proxy between client and server answered in its own format: the caller quotes it.
        }

        return false;
    }

    private static string? Text(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()
            : null;

    private static string[] Texts(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Array
            ? [.. value.EnumerateArray().Select(one => one.ToString())]
            : [];
}
