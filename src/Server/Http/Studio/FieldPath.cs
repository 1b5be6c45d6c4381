using System.Text;

namespace Raven.Server.Http.Studio;

/// <summary>
/// Paths as <see cref="FieldSample"/> writes them: names with dots between them, in quotes if they are none of
/// queries, and <c>[]</c> for each item of an array.
/// </summary>
internal static class FieldPath
{
    private const string Items = "[]";

    /// <summary>A name as queries write it: in quotes if it is none of theirs.</summary>
    internal static string NameOf(string name)
    {
        bool isPlain = name.Length > 0 && (char.IsLetter(name[0]) || name[0] is '_' or '@')
            && name.All(one => char.IsLetterOrDigit(one) || one is '_' or '@' or '-' or '$');
        return isPlain ? name
            : $"'{name.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal)}'";
    }

    /// <summary>The names of a path. A quote that is not closed is a part of its name; items are left out, as a value
    /// in an array is the array's.</summary>
    internal static byte[][] NamesOf(string path)
    {
        List<byte[]> names = [];
        var name = new StringBuilder();
        int at = 0;
        do
        {
            if (TryReadQuoted(path, at, name, out int end))
            {
                at = end;
            }
            else
            {
                name.Clear();
                end = path.IndexOf('.', at);
                end = end < 0 ? path.Length : end;
                ReadOnlySpan<char> plain = path.AsSpan(at, end - at);
                while (plain.EndsWith(Items, StringComparison.Ordinal))
                {
                    plain = plain[..^Items.Length];
                }

                name.Append(plain);
                at = end;
            }

            names.Add(Encoding.UTF8.GetBytes(name.ToString()));
        }
        while (at++ < path.Length);
        return [.. names];
    }

    /// <summary>Reads a name in quotes, with what stands for items behind it.</summary>
    private static bool TryReadQuoted(string path, int at, StringBuilder name, out int end)
    {
        name.Clear();
        end = at;
        if (at == path.Length || path[at++] != '\'')
        {
            return false;
        }

        while (at < path.Length && path[at] != '\'')
        {
            at += path[at] == '\\' ? 1 : 0;
            if (at == path.Length)
            {
                return false;
            }

            name.Append(path[at++]);
        }

        if (at == path.Length)
        {
            return false;
        }

        at++;
        while (path.AsSpan(at).StartsWith(Items, StringComparison.Ordinal))
        {
            at += Items.Length;
        }

        end = at;
        return at == path.Length || path[at] == '.';
    }
}
