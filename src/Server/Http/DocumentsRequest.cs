using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Ids;
using Raven.Server.Http.TimeSeries;

namespace Raven.Server.Http;

/// <summary>
/// Which documents a GET asks for: the parameters of its query, decoded into the arena of the request.
/// </summary>
internal readonly record struct DocumentsRequest
{
    /// <summary>The ids in their order, not distinct: <see cref="RequestContext.Slices"/>.</summary>
    internal required List<NativeSlice> Ids { get; init; }

    /// <summary>The paths whose values name documents to include; null if there are none.</summary>
    internal required List<NativeSlice>? Includes { get; init; }

    /// <summary>
    /// The names of the counters to include of each document; <c>@all_counters</c> for all; null if none are.
    /// </summary>
    internal List<NativeSlice>? Counters { get; init; }

    /// <summary>
    /// Paths to the keys of compare-exchange values to include, or such keys; null if there are none.
    /// </summary>
    internal List<NativeSlice>? CompareExchange { get; init; }

    /// <summary>
    /// Change vectors of earlier versions to include, or paths to them in documents; null if there are none.
    /// </summary>
    internal List<NativeSlice>? Revisions { get; init; }

    /// <summary>The time whose versions of each document are included; null if none are.</summary>
    internal long? RevisionsBeforeTicks { get; init; }

    /// <summary>The ranges of time series to include; null if there are none.</summary>
    internal TimeSeriesIncludes? TimeSeries { get; init; }

    /// <summary>The prefix of the ids; empty if there is none.</summary>
    internal NativeSlice Prefix { get; init; }

    internal NativeSlice Matches { get; init; }

    internal NativeSlice Exclude { get; init; }

    internal NativeSlice StartAfter { get; init; }

    /// <summary>How many documents to skip.</summary>
    internal long Start { get; init; }

    /// <summary>The most documents to give.</summary>
    internal int PageSize { get; init; }

    /// <summary>Write only the metadata.</summary>
    internal bool IsMetadataOnly { get; init; }

    /// <summary>The first etag of a stream by change.</summary>
    internal long StartEtag { get; init; }

    /// <summary>True if the documents are found by their ids.</summary>
    internal bool IsById => !(Prefix.IsEmpty && StartAfter.IsEmpty && Matches.IsEmpty && Exclude.IsEmpty);

    internal bool HasIncludes => Includes != null || HasMore;

    /// <summary>True if something is included that is no document.</summary>
    internal bool HasMore =>
        Counters != null || CompareExchange != null || Revisions != null || RevisionsBeforeTicks != null
        || TimeSeries != null;

    /// <summary>Reads the query of a request.</summary>
    /// <exception cref="BadRequestException">A parameter is wrong, or asks for a feature that is
    /// not served.</exception>
    internal static DocumentsRequest Parse(RequestContext request)
    {
        List<NativeSlice> ids = request.Slices;
        List<NativeSlice>? includes = null;
        List<NativeSlice>? counters = null;
        List<NativeSlice>? compareExchange = null;
        List<NativeSlice>? revisions = null;
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("id"))
            {
                ids.Add(request.Decode(parameter.Encoded, "id"));
            }
            else if (parameter.Is("include") && !parameter.Encoded.IsEmpty)
            {
                includes ??= [];
                includes.Add(request.Decode(parameter.Encoded, "include"));
            }
            else if (parameter.Is("counter") && !parameter.Encoded.IsEmpty)
            {
                (counters ??= []).Add(request.Decode(parameter.Encoded, "counter"));
            }
            else if (parameter.Is("cmpxchg") && !parameter.Encoded.IsEmpty)
            {
                (compareExchange ??= []).Add(request.Decode(parameter.Encoded, "cmpxchg"));
            }
            else if (parameter.Is("revisions") && !parameter.Encoded.IsEmpty)
            {
                (revisions ??= []).Add(request.Decode(parameter.Encoded, "revisions"));
            }
        }

        QueryParameters query = request.Query;
        return new DocumentsRequest
        {
            Ids = ids,
            Includes = includes,
            Counters = counters,
            CompareExchange = compareExchange,
            Revisions = revisions,
            TimeSeries = TimeSeriesIncludes.Parse(request),
            RevisionsBeforeTicks = query.GetText("revisionsBefore") is { } before
                ? TimeParser.Read(before, "revisionsBefore")
                : null,
            Prefix = request.QueryUtf8("startsWith"),
            Matches = request.QueryUtf8("matches"),
            Exclude = request.QueryUtf8("exclude"),
            StartAfter = request.QueryUtf8("startAfter"),
            Start = query.GetInt64("start", 0),
            PageSize = query.GetInt32("pageSize", int.MaxValue),
            StartEtag = query.GetInt64("startEtag", 1),
            IsMetadataOnly = query.GetBool("metadataOnly"),
        };
    }

    /// <summary>The search by prefix that is asked for.</summary>
    /// <exception cref="BadRequestException">One of its texts cannot be part of an id.</exception>
    internal PrefixQuery ToPrefixQuery(Arena arena)
    {
        return PrefixQuery.TryCreate(
            arena, Prefix.Span, StartAfter.Span, Matches.Span, Exclude.Span, out PrefixQuery query,
            out DocumentIdError error)
            ? query
            : throw new BadRequestException(
                400, ErrorType.Argument, $"startsWith, startAfter, matches or exclude: {error.Describe()}");
    }

    /// <summary>The same, for the documents after this one.</summary>
    internal DocumentsRequest After(NativeSlice id) => this with { StartAfter = id };
}
