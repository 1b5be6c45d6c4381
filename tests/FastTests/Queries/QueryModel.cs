using System.Globalization;
using System.Text.Json;

namespace FastTests.Queries;

/// <summary>Random documents, and random conditions that are asked and worked out by hand.</summary>
/// <param name="random">Draws them.</param>
/// <param name="hasVectors">Whether conditions on vectors are among them.</param>
internal sealed class QueryModel(Random random, bool hasVectors = false)
{
    private static readonly string[] Names = ["anna", "Bert", "carl", "DORA", "emil", "Ärger", "an"];
    private static readonly string[] Tags = ["x", "y", "z"];
    private static readonly string[] Cities = ["Rome", "Oslo", "Bern", "Parma"];
    private static readonly string[] Words = ["red", "green", "blue", "fox", "dog", "redder"];

    private static readonly double[] Leasts = [0, 0.35, 0.81];

    internal Dictionary<string, Document> Documents { get; } = [];

    internal string RandomId() => $"users/{random.Next(60)}";

    internal Document RandomDocument() => new(
        random.Next(8) == 0 ? null : Names[random.Next(Names.Length)],
        random.Next(6) == 0 ? null : random.Next(-3, 12),
        [.. Enumerable.Range(0, random.Next(3)).Select(_ => Tags[random.Next(Tags.Length)])],
        random.Next(4) == 0 ? "Orders" : "Users",
        random.Next(6) == 0 ? null : random.Next(-8, 9) / 4.0,
        random.Next(5) == 0 ? null : Cities[random.Next(Cities.Length)],
        [.. Enumerable.Range(0, random.Next(3)).Select(_ => Tags[random.Next(Tags.Length)])],
        [.. Enumerable.Range(0, random.Next(5)).Select(_ => Words[random.Next(Words.Length)])],
        random.Next(5) == 0 ? null : RandomVector());

    /// <summary>A vector of two whole numbers: no cosine between two of them is one of <see cref="Leasts"/>.</summary>
    internal int[] RandomVector() => [random.Next(-3, 4), random.Next(-3, 4)];

    /// <summary>The cosine of the angle between two vectors; 0 if one is all zeros, below -1 without one.</summary>
    internal static double Cosine(int[]? left, int[] right)
    {
        if (left is null)
        {
            return -2;
        }

        double lengths = Math.Sqrt(((left[0] * left[0]) + (left[1] * left[1]))
            * ((right[0] * right[0]) + (right[1] * right[1])));
        return lengths == 0 ? 0 : ((left[0] * right[0]) + (left[1] * right[1])) / lengths;
    }

    /// <summary>A condition, as a query writes it and as it is worked out.</summary>
    internal (string Text, Func<Document, bool> IsMet) RandomCondition(int depth)
    {
        if (depth > 0 && random.Next(3) > 0)
        {
            (string left, Func<Document, bool> isLeft) = RandomCondition(depth - 1);
            (string right, Func<Document, bool> isRight) = RandomCondition(depth - 1);
            return random.Next(3) switch
            {
                0 => ($"({left} and {right})", one => isLeft(one) && isRight(one)),
                1 => ($"({left} or {right})", one => isLeft(one) || isRight(one)),
                _ => ($"({left} and not {right})", one => isLeft(one) && !isRight(one)),
            };
        }

        return random.Next(hasVectors ? 10 : 9) switch
        {
            < 3 => RandomTextCondition(),
            < 6 => RandomOtherCondition(),
            < 9 => RandomNestedCondition(),
            _ => RandomVectorCondition(),
        };
    }

    private (string, Func<Document, bool>) RandomVectorCondition()
    {
        int[] wanted = RandomVector();
        double least = Leasts[random.Next(Leasts.Length)];
        string text = least.ToString(CultureInfo.InvariantCulture);
        return (
            $"exact(vector.search(E, [{wanted[0]}, {wanted[1]}], {text}))", one => Cosine(one.E, wanted) >= least);
    }

    /// <summary>The value that an order compares: nothing comes first.</summary>
    internal static (int, string) Key(Document document, string field) => field == "Age"
        ? document.Age is { } age ? (1, (age + 1000).ToString("D6", CultureInfo.InvariantCulture)) : (0, "")
        : document.Name is { } name ? (1, name.ToLowerInvariant()) : (0, "");

    private (string, Func<Document, bool>) RandomTextCondition()
    {
        string name = Names[random.Next(Names.Length)];
        return random.Next(5) switch
        {
            0 => ($"Name = '{name}'", one => Same(one.Name, name)),
            1 => ($"Name != '{name}'", one => !Same(one.Name, name)),
            2 => ($"startsWith(Name, '{name[..1]}')",
                one => one.Name?.StartsWith(name[..1], StringComparison.OrdinalIgnoreCase) == true),
            3 => ($"exact(Name = '{name}')", one => one.Name == name),
            _ => ($"Name in ('{name}', 'emil')", one => Same(one.Name, name) || Same(one.Name, "emil")),
        };
    }

    private (string, Func<Document, bool>) RandomOtherCondition()
    {
        int age = random.Next(-3, 12);
        string tag = Tags[random.Next(Tags.Length)];
        return random.Next(7) switch
        {
            0 => ($"Age = {age}", one => one.Age == age),
            1 => ($"Age < {age}", one => one.Age < age),
            2 => ($"Age >= {age}", one => one.Age >= age),
            3 => ($"Age between {age} and {age + 3}", one => one.Age >= age && one.Age <= age + 3),
            4 => ("exists(Age)", one => one.Age is not null),
            5 => ("Tags all in ('x', 'y')", one => one.Tags.Contains("x") && one.Tags.Contains("y")),
            _ => ($"Tags = '{tag}'", one => one.Tags.Contains(tag)),
        };
    }

    private (string, Func<Document, bool>) RandomNestedCondition()
    {
        double score = random.Next(-8, 9) / 4.0;
        string city = Cities[random.Next(Cities.Length)];
        string product = Tags[random.Next(Tags.Length)];
        string word = Words[random.Next(Words.Length)];
        string other = Words[random.Next(Words.Length)];
        string number = score.ToString(CultureInfo.InvariantCulture);
        return random.Next(9) switch
        {
            0 => ($"Score <= {number}", one => one.Score <= score),
            1 => ($"Score = {number}", one => one.Score == score),
            2 => ($"Address.City = '{city.ToUpperInvariant()}'", one => one.City == city),
            3 => ($"endsWith(Address.City, '{city[^2..]}')",
                one => one.City?.EndsWith(city[^2..], StringComparison.Ordinal) == true),
            4 => ($"Lines[].Product = '{product}'", one => one.Products.Contains(product)),
            5 => ($"search(Text, '{word} {other}')", one => one.Words.Contains(word) || one.Words.Contains(other)),
            6 => ($"search(Text, '{word} {other}', and)",
                one => one.Words.Contains(word) && one.Words.Contains(other)),
            7 => ("search(Text, 'red*')", one => one.Words.Any(each => each.StartsWith("red"))),
            _ => ($"boost(Score > {number}, 3)", one => one.Score > score),
        };
    }

    private static bool Same(string? left, string right) =>
        string.Equals(left, right, StringComparison.OrdinalIgnoreCase);

    /// <summary>A document: what is null is not written.</summary>
    internal sealed record Document(
        string? Name, int? Age, string[] Tags, string Collection, double? Score, string? City, string[] Products,
        string[] Words, int[]? E)
    {
        internal string ToJson()
        {
            Dictionary<string, object> json = new()
            {
                ["Tags"] = Tags,
                ["Lines"] = Products.Select(product => new { Product = product }),
                ["Text"] = string.Join(", ", Words),
                ["@metadata"] = new Dictionary<string, string> { ["@collection"] = Collection },
            };
            if (Name is not null)
            {
                json["Name"] = Name;
            }

            if (Score is not null)
            {
                json["Score"] = Score;
            }

            if (City is not null)
            {
                json["Address"] = new { City };
            }

            if (Age is not null)
            {
                json["Age"] = Age;
            }

            // Of those without a vector some have what is none.
            if (E is not null || Age == 3)
            {
                json["E"] = E ?? (object)"none";
            }

            return JsonSerializer.Serialize(json);
        }
    }
}
