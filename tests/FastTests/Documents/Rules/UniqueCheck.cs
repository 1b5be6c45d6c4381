using System.Buffers.Binary;
using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Rules;
using Raven.Documents.Settings;
using Raven.Storage.Trees;

namespace FastTests.Documents.Rules;

/// <summary>Compares the stored values of unique constraints with the documents (UNIQ-2, UNIQ-3, UNIQ-4).</summary>
internal static class UniqueCheck
{
    /// <summary>Checks every constraint that is not being built or dropped.</summary>
    internal static void Verify(Database database, string about)
    {
        using DocumentSnapshot snapshot = database.BeginRead();
        byte[]? configuration = SettingsStore.Read(snapshot.Transaction, SettingsStore.UniqueConstraints);
        UniqueRules? rules = configuration is null ? null : UniqueStates.Load(snapshot.Transaction, configuration);
        foreach (UniqueConstraint constraint in rules?.All ?? [])
        {
            UniqueState state = UniqueStates.Read(snapshot.Transaction, constraint.Number)!;
            if (state.Stage == UniqueStage.Building)
            {
                continue;
            }

            Dictionary<string, string> stored = Stored(snapshot, constraint.Number);
            Dictionary<string, string> wanted = Wanted(snapshot, constraint);
            Assert.True(
                wanted.Keys.Order(StringComparer.Ordinal).SequenceEqual(stored.Keys.Order(StringComparer.Ordinal)),
                $"{about}, {constraint.Name}: wanted {string.Join(",", wanted.Keys)}, "
                + $"stored {string.Join(",", stored.Keys)}");
            long excess = wanted.Count - wanted.Values.Distinct(StringComparer.Ordinal).Count();
            Assert.Equal(excess, stored.Count - stored.Values.Distinct(StringComparer.Ordinal).Count());
            Assert.True(
                state.Stage == UniqueStage.Active ? excess == 0 : excess == state.Excess && excess > 0,
                $"{about}, {constraint.Name}: {state.Stage} with {excess}, stored {state.Excess}");
        }
    }

    /// <summary>The value of a field, so that equal values are equal texts; null if it is not constrained.</summary>
    internal static string? Canonical(JsonElement value, bool ignoresCase) => value.ValueKind switch
    {
        JsonValueKind.Null or JsonValueKind.Undefined => null,
        JsonValueKind.String => "s" + (ignoresCase ? value.GetString()!.ToUpperInvariant() : value.GetString()),
        JsonValueKind.Number => Canonical(value.GetRawText()),
        JsonValueKind.Array => "a" + string.Join('|', value.EnumerateArray().Select(
            one => Canonical(one, ignoresCase) ?? "null")),
        JsonValueKind.Object => "o" + string.Join('|', value.EnumerateObject()
            .OrderBy(one => one.Name, StringComparer.Ordinal)
            .Select(one => one.Name + "=" + (Canonical(one.Value, ignoresCase) ?? "null"))),
        _ => value.GetRawText(),
    };

    /// <summary>A number as its digits without zeros behind them, and the power of ten that they are taken with.
    /// </summary>
    private static string Canonical(string number)
    {
        string[] parts = number.ToUpperInvariant().Split('E');
        int point = parts[0].IndexOf('.', StringComparison.Ordinal);
        long exponent = parts.Length == 1 ? 0 : long.Parse(parts[1], CultureInfo.InvariantCulture);
        exponent -= point < 0 ? 0 : parts[0].Length - point - 1;
        BigInteger digits = BigInteger.Parse(
            parts[0].Replace(".", "", StringComparison.Ordinal), CultureInfo.InvariantCulture);
        for (; !digits.IsZero && (digits % 10).IsZero; exponent++)
        {
            digits /= 10;
        }

        return digits.IsZero ? "n0" : string.Create(CultureInfo.InvariantCulture, $"n{digits}e{exponent}");
    }

    /// <summary>What a document has for a constraint; null if it is not constrained.</summary>
    internal static string? ValueOf(JsonElement document, IEnumerable<string> fields, bool ignoresCase)
    {
        List<string> values = [];
        foreach (string path in fields)
        {
            JsonElement value = document;
            foreach (string name in path.Split('.'))
            {
                value = value.ValueKind == JsonValueKind.Object && value.TryGetProperty(name, out JsonElement found)
                    ? found
                    : default;
            }

            if (Canonical(value, ignoresCase) is not { } text)
            {
                return null;
            }

            values.Add(text);
        }

        return string.Join('\n', values);
    }

    private static Dictionary<string, string> Wanted(DocumentSnapshot snapshot, UniqueConstraint constraint)
    {
        Dictionary<string, string> wanted = [];
        DocumentCursor documents = snapshot.DocumentsByEtag(0);
        while (documents.MoveNext(out StoredDocument document))
        {
            if (!Encoding.UTF8.GetString(document.Collection).Equals(
                constraint.Collection, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            using var json = JsonDocument.Parse(TestDatabase.Json(document));
            if (ValueOf(json.RootElement, constraint.Fields, constraint.IgnoresCase) is { } value)
            {
                wanted.Add(Encoding.UTF8.GetString(document.Id.Span), value);
            }
        }

        return wanted;
    }

    private static Dictionary<string, string> Stored(DocumentSnapshot snapshot, int number)
    {
        Dictionary<string, string> stored = [];
        if (snapshot.Transaction.TryOpenTree(UniqueValues.TreeName) is not { } tree)
        {
            return stored;
        }

        TreeCursor cursor = tree.GetCursor();
        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            if (BinaryPrimitives.ReadInt32BigEndian(cursor.Key) == number)
            {
                int length = UniqueValues.PrefixLengthOf(cursor.Key);
                stored.Add(
                    Encoding.UTF8.GetString(cursor.Key[length..]), Convert.ToHexString(cursor.Key[..length]));
            }
        }

        return stored;
    }
}
