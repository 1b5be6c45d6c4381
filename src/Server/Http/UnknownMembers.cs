using System.Text;
using Raven.Blittable.Reading;

namespace Raven.Server.Http;

/// <summary>
/// Members of a body that no handler reads. They are no error: clients of other versions send members that this server
/// does not use. But a misspelled member must be noticeable, so the answer names them in a header.
/// </summary>
internal static class UnknownMembers
{
    /// <summary>The header that names them.</summary>
    internal const string HeaderName = "Raven-Warning";

    private const int NamesMax = 8;
    private const int NameLengthMax = 64;

    /// <summary>The members of a query that clients send, including those that have no effect here.</summary>
    internal static string[] OfQueries { get; } =
    [
        "Query", "QueryParameters", "WaitForNonStaleResults", "WaitForNonStaleResultsTimeout", "Start", "PageSize",
        "SkipDuplicateChecking", "SkipStatistics", "DisableCaching", "ProjectionBehavior", "DisableAutoIndexCreation",
        "CutoffEtag",
    ];

    /// <summary>The members of a patch of one document.</summary>
    internal static string[] OfPatches { get; } = ["Patch", "PatchIfMissing"];

    /// <summary>The members of a multi-get.</summary>
    internal static string[] OfMultiGets { get; } = ["Requests"];

    /// <summary>The members of operations on counters.</summary>
    internal static string[] OfCounters { get; } = ["Documents", "ReplyWithAllNodesValues", "FromEtl"];

    /// <summary>The members of changes of a time series.</summary>
    internal static string[] OfTimeSeries { get; } = ["Name", "Appends", "Deletes", "Increments", "TimeFormat"];

    /// <summary>The members of a lock of databases.</summary>
    internal static string[] OfLocks { get; } = ["Mode", "DatabaseNames"];

    /// <summary>Names the members of a body that are not known.</summary>
    internal static void Warn(RequestContext request, BlittableObject body, string[] known)
    {
        List<string>? unknown = null;
        for (int i = 0; i < body.Count; i++)
        {
            ReadOnlySpan<byte> name = body.GetProperty(i).Name;
            if (!IsKnown(name, known))
            {
                (unknown ??= []).Add(Encoding.UTF8.GetString(name));
            }
        }

        if (unknown is not null)
        {
            Warn(request, unknown);
        }
    }

    /// <summary>Names members that are not known, if there are any.</summary>
    internal static void Warn(RequestContext request, IReadOnlyCollection<string> unknown)
    {
        if (unknown.Count > 0 && !request.Response.HasStarted)
        {
            string names = string.Join(", ", unknown.Take(NamesMax).Select(Plain));
            string more = unknown.Count > NamesMax ? $" and {unknown.Count - NamesMax} more" : "";
            request.Response.Headers[HeaderName] =
                $"The body has members that are not known and were ignored: {names}{more}";
        }
    }

    private static bool IsKnown(ReadOnlySpan<byte> name, string[] known)
    {
        foreach (string one in known)
        {
            if (Ascii.Equals(name, one))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Replaces characters that a header cannot have: only visible ASCII letters stay.</summary>
    private static string Plain(string name)
    {
        var text = new StringBuilder("'");
        foreach (char letter in name.AsSpan(0, Math.Min(NameLengthMax, name.Length)))
        {
            text.Append(letter is > ' ' and < '\x7F' ? letter : '?');
        }

        return text.Append('\'').ToString();
    }
}
