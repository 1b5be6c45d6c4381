using FastTests.Architecture;

namespace FastTests.Server.Answers;

/// <summary>What <c>answers.txt</c> says: the members of each answer, by its head.</summary>
internal static class AnswerTable
{
    private const string MinusMark = "-";
    private const string NullMark = "!null";

    /// <summary>Reads the table.</summary>
    internal static IReadOnlyDictionary<string, AnswerMember[]> Read()
    {
        string path = System.IO.Path.Combine(SourceTree.Root, "tests/FastTests/Server/Answers/answers.txt");
        var enums = new Dictionary<string, string[]>(StringComparer.Ordinal);
        var answers = new Dictionary<string, AnswerMember[]>(StringComparer.Ordinal);
        var members = new List<AnswerMember>();
        string head = "";
        foreach (string line in File.ReadLines(path).Append(""))
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (line.StartsWith(' '))
            {
                members.Add(Parse(words, enums));
            }
            else if (line.StartsWith("enum ", StringComparison.Ordinal))
            {
                enums.Add(words[1], words[2..]);
            }
            else if (!line.StartsWith('#'))
            {
                if (head.Length > 0)
                {
                    answers.Add(head, [.. members]);
                }

                head = line;
                members.Clear();
            }
        }

        return answers;
    }

    private static AnswerMember Parse(string[] words, Dictionary<string, string[]> enums)
    {
        int minus = Array.IndexOf(words, MinusMark);
        Assert.True(minus < 0 || minus < words.Length - 1, $"Why is {words[0]} left out? {string.Join(' ', words)}");
        bool isLeftOut = minus >= 0;
        words = isLeftOut ? words[..minus] : words;
        string? name = words.Skip(3).FirstOrDefault(word => word != NullMark);
        return new AnswerMember(
            words[0], words[1], words[2], name is null ? [] : enums[name], words.Contains(NullMark),
            isLeftOut);
    }
}
