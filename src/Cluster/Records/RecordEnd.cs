using System.Diagnostics.CodeAnalysis;

namespace Raven.Cluster.Records;

/// <summary>The end of a read.</summary>
internal static class RecordEnd
{
    /// <summary>A record with a problem is none.</summary>
    internal static bool Of<T>([NotNullWhen(true)] ref T? record, [NotNullWhen(false)] ref string? problem)
        where T : class
    {
        if (problem is null && record is not null)
        {
            return true;
        }

        record = null;
        problem ??= "it cannot be read";
        return false;
    }
}
