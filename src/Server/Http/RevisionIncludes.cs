using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Json;
using Raven.Documents.Revisions;
using Raven.Documents.Rows;

namespace Raven.Server.Http;

/// <summary>The earlier versions that are sent along with documents.</summary>
internal static class RevisionIncludes
{
    /// <summary>
    /// Writes the versions of a request: those whose change vectors were given, or are in documents at a path, and
    /// those that the documents had at a time. Missing versions are left out, as clients expect.
    /// </summary>
    /// <param name="json">Takes the JSON, in the place of a value.</param>
    /// <param name="request">The request, for its memory.</param>
    /// <param name="snapshot">The snapshot of the documents.</param>
    /// <param name="documents">The documents that were found.</param>
    /// <param name="asked">Change vectors, and paths to them; null for none.</param>
    /// <param name="times">Times, UTC ticks.</param>
    internal static void Write(
        ref JsonOutput json, RequestContext request, DocumentSnapshot snapshot, List<StoredDocument> documents,
        List<NativeSlice>? asked, scoped ReadOnlySpan<long> times)
    {
        var reader = new RevisionReader(snapshot);
        json.StartArray();
        if (asked is not null)
        {
            var vectors = new DistinctIds(request.Server.HashSeed);
            vectors.Reset(request.Operation);
            Collect(asked, documents, vectors);
            for (int i = 0; i < vectors.Count; i++)
            {
                if (reader.TryGet(vectors[i].Span, out StoredDocument revision))
                {
                    Write(ref json, in revision, before: 0);
                }
            }
        }

        foreach (long before in times)
        {
            foreach (StoredDocument document in documents)
            {
                if (reader.TryGetAt(document.Id.Span, before, out StoredDocument revision))
                {
                    Write(ref json, in revision, before);
                }
            }
        }

        json.EndArray();
    }

    private static void Collect(List<NativeSlice> asked, List<StoredDocument> documents, DistinctIds vectors)
    {
        foreach (NativeSlice one in asked)
        {
            if (ChangeVector.TryReadLocalEtag(one.Span, out _))
            {
                vectors.Add(one.Span);
                continue;
            }

            foreach (StoredDocument document in documents)
            {
                IncludePath.Collect(document.Data, one.Span, vectors);
            }
        }
    }

    /// <summary>Writes one version. One that was not asked for by a time must have no time: clients read any member
    /// as one.</summary>
    private static void Write(ref JsonOutput json, in StoredDocument revision, long before)
    {
        json.StartObject();
        json.Name("Id"u8);
        json.String(revision.Id.Span);
        json.Name("ChangeVector"u8);
        json.String(revision.ChangeVector.Span);
        if (before != 0)
        {
            json.Name("Before"u8);
            DocumentJson.WriteDate(ref json, before);
        }

        json.Name("Revision"u8);
        DocumentJson.Write(ref json, in revision, isMetadataOnly: false);
        json.EndObject();
    }
}
