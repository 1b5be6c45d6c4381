using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>Makes texts that are JSON or nearly so, and compares our judgement with the runtime's.</summary>
internal sealed class JsonAgreement : IDisposable
{
    private static readonly string[] s_pieces =
    [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\udc26", "\\n", "0", "1", "-", "+", ".", "e",
        "E5",
        "true", "false", "null", "nul", "NaN", "\"a\"", "\"a\":", " ", "\n", "\t", "\r", "\u00e9", "🐦", "\u0001",
        "/", "{}", "[]", "1.5", "-0", "00", "\"\"", "\u0000",
        "\u2028", "tru", "1e", "\"a\":1,", "'", "0x1", "\b", "\u007f",
    ];

    private static readonly JsonDocumentOptions s_strict = new() { MaxDepth = 128, AllowDuplicateProperties = false };
    private readonly OperationContext _context = new();
    private readonly ArrayBufferWriter<byte> _target = new();
    private readonly Random _random;
    private readonly int _seed;
    private int _count;

    internal JsonAgreement(int seed)
    {
        _seed = seed;
        _random = new Random(seed);
    }

    public void Dispose() => _context.Dispose();

    /// <summary>Judges that many texts. A failure names the seed and the number of the text, which replay it.</summary>
    internal static void Run(int seed, int texts)
    {
        using JsonAgreement agreement = new(seed);
        int valid = 0;
        for (int i = 0; i < texts; i++)
        {
            valid += agreement.CheckText(agreement.NextText(lengthMax: 400)) ? 1 : 0;
        }

        Assert.InRange(valid, texts / 10, texts * 9 / 10);
    }

    /// <summary>A document, often with a few bytes changed, removed or put in.</summary>
    internal byte[] NextText(int lengthMax)
    {
        _count++;
        byte[] text;
        do
        {
            text = Encoding.UTF8.GetBytes(
                _random.Next(4) == 0 ? MakeFromPieces() : RandomJson.Make(_random, _random.Next(4)));
        }
        while (text.Length > lengthMax);

        List<byte> bytes = [.. text];
        for (int change = _random.Next(4) - 1; change > 0 && bytes.Count > 0; change--)
        {
            int at = _random.Next(bytes.Count);
            switch (_random.Next(4))
            {
                case 0:
                    bytes[at] = (byte)_random.Next(256);
                    break;
                case 1:
                    bytes.RemoveAt(at);
                    break;
                case 2:
                    bytes.RemoveRange(at, _random.Next(bytes.Count - at));
                    break;
                default:
                    bytes.InsertRange(at, Encoding.UTF8.GetBytes(s_pieces[_random.Next(s_pieces.Length)]));
                    break;
            }
        }

        return [.. bytes];
    }

    internal bool CheckText(byte[] text)
    {
        _context.Reset();
        bool accepted = _context.Parser.TryParseValue(
            text, BlittableMode.ToMemory, out BlittableValue value, out JsonError error);
        bool expected = Judge(text, out JsonDocument? model);
        Assert.True(accepted == expected, Describe(text, $"ours {accepted} ({error}), the runtime {expected}"));
        if (model is not null)
        {
            Assert.True(BlittableValidator.TryValidate(value.Memory.Span, out _), Describe(text, "is not valid"));
            _target.ResetWrittenCount();
            BlittableToJson.Write(value, _target, JsonOutputOptions.Original);
            using JsonDocument back = JsonDocument.Parse(_target.WrittenMemory, s_strict);
            Assert.True(Same(model.RootElement, back.RootElement), Describe(text, "differs"));
            model.Dispose();
        }

        byte[] expectedBytes = accepted ? value.Memory.Span.ToArray() : [];
        CheckChunks(text, expectedBytes, error);
        if (accepted)
        {
            byte[] inside = [.. "{\"document\":["u8, .. text, .. "]}"u8];
            Assert.True(_context.Parser.TryParse(inside, BlittableMode.ToDisk, out _, out error), error.ToString());
        }

        return accepted;
    }

    internal void CheckEveryTwoCuts(byte[] text)
    {
        bool accepted = _context.Parser.TryParseValue(
            text, BlittableMode.ToMemory, out BlittableValue value, out JsonError error);
        byte[] expected = accepted ? value.Memory.Span.ToArray() : [];
        for (int first = 0; first <= text.Length; first++)
        {
            for (int second = first; second <= text.Length; second++)
            {
                _context.Reset();
                CheckChunks(text, expected, error, first, second, text.Length);
            }
        }
    }

    private void CheckChunks(byte[] text, byte[] expected, JsonError error, params ReadOnlySpan<int> ends)
    {
        JsonToBlittable parser = _context.Parser;
        parser.Begin(BlittableMode.ToMemory);
        int at = 0;
        foreach (int end in ends)
        {
            Documents.Feed(parser, text.AsSpan(at, end - at));
            at = end;
        }

        for (; at < text.Length; at++)
        {
            Documents.Feed(parser, text.AsSpan(at, 1));
        }

        bool accepted = parser.TryFinish(out BlittableValue value);
        bool same = accepted
            ? value.Memory.Span.SequenceEqual(expected)
            : parser.Error == error && expected.Length == 0;
        string cuts = string.Join(", ", ends.ToArray());
        Assert.True(same, Describe(text, $"cut at {cuts}: {parser.Error} instead of {error}"));
    }

    /// <summary>The runtime's judgement, with the written list of differences applied.</summary>
    private static bool Judge(byte[] text, out JsonDocument? model)
    {
        model = null;
        if (text.AsSpan().StartsWith((ReadOnlySpan<byte>)[0xEF, 0xBB, 0xBF]))
        {
            text = text[3..];
        }

        try
        {
            model = JsonDocument.Parse(text, s_strict);
            if (System.Text.Unicode.Utf8.IsValid(text) && StringsAreText(model.RootElement))
            {
                return true;
            }

            model.Dispose();
            model = null;
            return false;
        }
        catch (JsonException)
        {
            return false;
        }
        catch (InvalidOperationException)
        {
            // A name that is no text, met while names are compared.
            return false;
        }
    }

    // The runtime's own comparison gives up on numbers like 1e9999999999; ours must give back the very text.
    private static bool Same(JsonElement left, JsonElement right) => left.ValueKind == right.ValueKind &&
        left.ValueKind switch
        {
            JsonValueKind.Object => left.GetPropertyCount() == right.GetPropertyCount()
                && left.EnumerateObject().Zip(right.EnumerateObject()).All(
                pair => pair.First.Name == pair.Second.Name && Same(pair.First.Value, pair.Second.Value)),
            JsonValueKind.Array => left.GetArrayLength() == right.GetArrayLength()
                && left.EnumerateArray().Zip(right.EnumerateArray()).All(
                pair => Same(pair.First, pair.Second)),
            JsonValueKind.String => left.GetString() == right.GetString(),
            _ => left.GetRawText() == right.GetRawText(),
        };

    private static bool StringsAreText(JsonElement element)
    {
        try
        {
            return element.ValueKind switch
            {
                JsonValueKind.Object => element.EnumerateObject().All(
                    property => property.Name is not null && StringsAreText(property.Value)),
                JsonValueKind.Array => element.EnumerateArray().All(StringsAreText),
                JsonValueKind.String => element.GetString() is not null,
                _ => true,
            };
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }

    private string MakeFromPieces()
    {
        StringBuilder text = new();
        for (int i = _random.Next(1, 8); i > 0; i--)
        {
            text.Append(s_pieces[_random.Next(s_pieces.Length)]);
        }

        return text.ToString();
    }

    private string Describe(byte[] text, string what) =>
        $"seed {_seed}, text {_count}: {what}\n{Encoding.UTF8.GetString(text)}\n{Convert.ToHexString(text)}";
}
