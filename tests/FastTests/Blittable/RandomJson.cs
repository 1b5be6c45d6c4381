using System.Globalization;
using System.Text;

namespace FastTests.Blittable;

/// <summary>
/// JSON of any shape from a seed, in the form in which it is written back: compact, escaped if it must be.
/// </summary>
internal static class RandomJson
{
    private static readonly string[] s_words =
        ["the", "name", "Id", "people", "שלום", "🐦", "\n", "\"", "\\", "\u0001", "é", "of the government",
            "a", ""];

    internal static string Make(Random random, int depth)
    {
        StringBuilder json = new();
        Append(json, random, depth, isRoot: true);
        return json.ToString();
    }

    private static void Append(StringBuilder json, Random random, int depth, bool isRoot)
    {
        int kind = isRoot ? 0 : random.Next(depth > 0 ? 9 : 7);
        switch (kind)
        {
            case 0 or 8 when depth > 0:
                AppendObject(json, random, depth);
                break;
            case 7:
                AppendArray(json, random, depth);
                break;
            case 1 or 2:
                AppendString(json, random, random.Next(random.Next(12) == 0 ? 80 : 5));
                break;
            case 3:
                json.Append(random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64));
                break;
            case 4:
                json.Append(random.NextDouble().ToString("F" + random.Next(1, 17), CultureInfo.InvariantCulture));
                break;
            case 5:
                json.Append(((string[])["true", "false", "null", "\"\"", "{}", "[]", "1e400", "-0"])[random.Next(8)]);
                break;
            default:
                json.Append(random.Next(1000));
                break;
        }
    }

    private static void AppendObject(StringBuilder json, Random random, int depth)
    {
        json.Append('{');
        int count = random.Next(random.Next(20) == 0 ? 200 : 8);
        HashSet<string> names = [];
        for (int i = 0; i < count; i++)
        {
            string name = s_words[random.Next(s_words.Length)] + (random.Next(2) == 0 ? "" : random.Next(300));
            if (names.Add(name))
            {
                json.Append(names.Count > 1 ? "," : "").Append(Quote(name)).Append(':');
                Append(json, random, depth - 1, isRoot: false);
            }
        }

        json.Append('}');
    }

    private static void AppendArray(StringBuilder json, Random random, int depth)
    {
        json.Append('[');
        int count = random.Next(random.Next(20) == 0 ? 100 : 6);
        for (int i = 0; i < count; i++)
        {
            json.Append(i > 0 ? "," : "");
            Append(json, random, depth - 1, isRoot: false);
        }

        json.Append(']');
    }

    private static void AppendString(StringBuilder json, Random random, int words)
    {
        StringBuilder text = new();
        for (int i = 0; i < words; i++)
        {
            text.Append(s_words[random.Next(s_words.Length)]).Append(random.Next(3) == 0 ? " " : "");
        }

        json.Append(Quote(text.ToString()));
    }

    // Only what must be escaped is; the runtime's relaxed encoder still escapes emoji, hence by hand.
    private static string Quote(string text)
    {
        StringBuilder quoted = new("\"");
        foreach (char c in text)
        {
            quoted.Append(c switch
            {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\n' => "\\n",
                < ' ' => string.Create(CultureInfo.InvariantCulture, $"\\u{(int)c:x4}"),
                _ => c.ToString(),
            });
        }

        return quoted.Append('"').ToString();
    }
}
