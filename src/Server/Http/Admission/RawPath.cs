namespace Raven.Server.Http.Admission;

/// <summary>
/// Finds in a request line what makes two readers of it see two paths: <c>.</c> and <c>..</c> as segments, in any
/// encoding. A proxy that lets <c>/healthz</c> through must not be asked for <c>/healthz/../admin</c>.
/// </summary>
internal static class RawPath
{
    /// <summary>Whether a segment of the target is <c>.</c> or <c>..</c>.</summary>
    /// <param name="target">The target as it was sent, with its query.</param>
    internal static bool HasDotSegment(ReadOnlySpan<char> target)
    {
        int query = target.IndexOf('?');
        ReadOnlySpan<char> path = query < 0 ? target : target[..query];
        bool onlyDots = false;
        int dots = 0;
        for (int i = 0; i <= path.Length; i++)
        {
            char next = i == path.Length ? '/' : Next(path, ref i);
            if (next is '/' or '\\')
            {
                if (onlyDots && dots is 1 or 2)
                {
                    return true;
                }

                onlyDots = true;
                dots = 0;
            }
            else if (next == '.')
            {
                dots++;
            }
            else
            {
                onlyDots = false;
            }
        }

        return false;
    }

    /// <summary>The character at a position, decoded if it is an encoded dot or slash; moves on to its last.</summary>
    private static char Next(ReadOnlySpan<char> path, ref int position)
    {
        char next = path[position];
        if (next != '%' || path.Length - position < 3)
        {
            return next;
        }

        ReadOnlySpan<char> code = path.Slice(position + 1, 2);
        char decoded = code.Equals("2e", StringComparison.OrdinalIgnoreCase) ? '.'
            : code.Equals("2f", StringComparison.OrdinalIgnoreCase) ? '/'
            : code.Equals("5c", StringComparison.OrdinalIgnoreCase) ? '\\'
            : next;
        position += decoded == next ? 0 : 2;
        return decoded;
    }
}
