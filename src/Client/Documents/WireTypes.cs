using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Documents.Entities;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Documents.Operations.DataArchival;
using Raven.Client.Documents.Operations.Expiration;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Operations.Refresh;
using Raven.Client.Documents.Operations.Revisions;
using Raven.Client.Documents.Operations.SchemaValidation;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Operations.UniqueConstraints;
using Raven.Client.Documents.Queries.Explanation;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.Timings;
using Raven.Client.Documents.Subscriptions;

namespace Raven.Client.Documents;

/// <summary>
/// How the client's own types are written and read: names as they are, enumerations by name, no nulls. The code is
/// generated at compile time, so that it works in trimmed applications. Entities are not among these types:
/// <see cref="EntitySerializer"/> reads them.
/// </summary>
/// <remarks>
/// Generated code sets every init-only property, to null or zero if the answer does not have it. So those of the types
/// that are read turn null into their default.
/// </remarks>
[JsonSourceGenerationOptions(
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(ClientConfiguration))]
[JsonSerializable(typeof(CollectionStatistics))]
[JsonSerializable(typeof(ConfigureTimeSeriesValueNamesOperation.Parameters))]
[JsonSerializable(typeof(DataArchivalConfiguration))]
[JsonSerializable(typeof(DatabaseStatistics))]
[JsonSerializable(typeof(DetailedDatabaseStatistics))]
[JsonSerializable(typeof(Dictionary<string, long>))]
[JsonSerializable(typeof(Dictionary<string, string>))]
[JsonSerializable(typeof(EssentialDatabaseStatistics))]
[JsonSerializable(typeof(ExpirationConfiguration))]
[JsonSerializable(typeof(ExplanationOptions))]
[JsonSerializable(typeof(FacetOptions))]
[JsonSerializable(typeof(FacetResult))]
[JsonSerializable(typeof(HighlightingOptions))]
[JsonSerializable(typeof(IndexDefinition[]))]
[JsonSerializable(typeof(IndexErrors[]))]
[JsonSerializable(typeof(IndexPerformanceStats[]))]
[JsonSerializable(typeof(IndexStaleness))]
[JsonSerializable(typeof(IndexStats[]))]
[JsonSerializable(typeof(IndexingStatus))]
[JsonSerializable(typeof(MoreLikeThisOptions))]
[JsonSerializable(typeof(QueryTimings))]
[JsonSerializable(typeof(RefreshConfiguration))]
[JsonSerializable(typeof(RequestBody))]
[JsonSerializable(typeof(RevisionsBinConfiguration))]
[JsonSerializable(typeof(RevisionsConfiguration))]
[JsonSerializable(typeof(SchemaValidationConfiguration))]
[JsonSerializable(typeof(SchemaViolations))]
[JsonSerializable(typeof(SubscriptionCreationOptions))]
[JsonSerializable(typeof(SubscriptionNameAnswer))]
[JsonSerializable(typeof(SubscriptionState))]
[JsonSerializable(typeof(SubscriptionStates))]
[JsonSerializable(typeof(SubscriptionUpdateOptions))]
[JsonSerializable(typeof(SuggestionOptions))]
[JsonSerializable(typeof(SuggestionResult))]
[JsonSerializable(typeof(TcpAnswer))]
[JsonSerializable(typeof(TimeSeriesConfiguration))]
[JsonSerializable(typeof(TimeSeriesPolicy))]
[JsonSerializable(typeof(TimeSeriesStatistics))]
[JsonSerializable(typeof(UniqueConstraintsConfiguration))]
[JsonSerializable(typeof(UniqueConstraintsState))]
[JsonSerializable(typeof(string[]))]
internal sealed partial class WireTypes : JsonSerializerContext
{
    /// <summary>Reads one of the client's own types.</summary>
    internal static T? Read<T>(JsonElement json) => json.Deserialize(TypeOf<T>());

    /// <summary>One of the client's own types as JSON.</summary>
    internal static byte[] Write<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, TypeOf<T>());

    /// <summary>How one of the client's own types is written and read.</summary>
    internal static JsonTypeInfo<T> TypeOf<T>() => Default.GetTypeInfo(typeof(T)) as JsonTypeInfo<T>
        ?? throw new InvalidOperationException($"{typeof(T)} is not among {nameof(WireTypes)}.");
}
