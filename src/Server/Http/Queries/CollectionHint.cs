using System.Text;
using Microsoft.AspNetCore.Http;
using Raven.Blittable.Text;
using Raven.Documents;
using Raven.Documents.Queries;

namespace Raven.Server.Http.Queries;

/// <summary>
/// A query of a collection that never existed succeeds without results. Since the name may be misspelled, a header
/// of the answer says so and names the collection that is most like it.
/// </summary>
internal static class CollectionHint
{
    private const int CollectionsMax = 1000;
    private const int NameLengthMax = 64;

    /// <summary>Adds the header if the query is of a collection that never existed.</summary>
    internal static void Add(RequestContext request, QuerySession session)
    {
        if (session.Plan.Collection is not { } asked || IndexScope.LastEtag(session.Snapshot, asked) > 0)
        {
            return;
        }

        string? near = NearestTo(session.Snapshot, asked);
        string hint = near is null ? "" : $"; did you mean '{Plain(near)}'?";
        request.Response.Headers.Append(
            UnknownMembers.HeaderName, $"The database has no collection '{Plain(asked)}'{hint}");
    }

    /// <summary>The name that is most like one: at most a third of its letters differ.</summary>
    private static string? NearestTo(DocumentSnapshot snapshot, string asked)
    {
        string? best = null;
        int least = (Math.Min(asked.Length, NameLengthMax) / 3) + 1;
        int seen = 0;
        CollectionCursor cursor = snapshot.Collections();
        while (seen++ < CollectionsMax && cursor.MoveNext(out CollectionInfo collection))
        {
            string name = Encoding.UTF8.GetString(collection.Name.Span);
            int changes = collection.DocumentCount > 0 ? Changes(asked, name) : int.MaxValue;
            if (changes < least || (changes == least && best is null))
            {
                least = changes;
                best = name;
            }
        }

        return best;
    }

    /// <summary>How many letters must be inserted, deleted or changed, in either case.</summary>
    private static int Changes(string left, string right)
    {
        return left.Length > NameLengthMax || right.Length > NameLengthMax
            ? int.MaxValue
            : EditDistance.Between(left.ToLowerInvariant(), right.ToLowerInvariant());
    }

    /// <summary>Replaces characters that a header cannot have: only visible ASCII letters stay.</summary>
    private static string Plain(string name)
    {
        var text = new StringBuilder();
        foreach (char letter in name.AsSpan(0, Math.Min(NameLengthMax, name.Length)))
        {
            text.Append(letter is >= ' ' and < '\x7F' ? letter : '?');
        }

        return text.ToString();
    }
}
