using System.Text.Json.Serialization;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Documents.Operations.Expiration;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Operations.Refresh;
using Raven.Client.Documents.Operations.Revisions;
using Raven.Client.Documents.Queries.Explanation;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.Timings;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace Raven.Client.Http;

/// <summary>
/// How the client's own types are written and read: names as they are, enumerations by name, nothing that is null.
/// Generated at compile time, so that a trimmed application keeps what it takes. Entities are not among them: they are
/// read by <see cref="Json.EntitySerializer"/>.
/// </summary>
/// <remarks>
/// What is generated sets every property that can only be set at first, to null or zero where the answer does not have
/// it. So those of the types that are read turn null into their default.
/// </remarks>
[JsonSourceGenerationOptions(
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(BuildNumber))]
[JsonSerializable(typeof(ClientConfiguration))]
[JsonSerializable(typeof(CollectionStatistics))]
[JsonSerializable(typeof(DatabaseRecord))]
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
[JsonSerializable(typeof(RevisionsConfiguration))]
[JsonSerializable(typeof(SuggestionOptions))]
[JsonSerializable(typeof(SuggestionResult))]
[JsonSerializable(typeof(string[]))]
internal sealed partial class WireTypes : JsonSerializerContext;
