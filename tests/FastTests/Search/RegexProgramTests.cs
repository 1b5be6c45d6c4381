using System.Text;
using System.Text.RegularExpressions;
using Raven.Search.Automata;
using Raven.Search.Queries;

namespace FastTests.Search;

/// <summary>
/// An expression that an automaton is made of is one of .NET's, and matches the same texts; others are left to .NET.
/// </summary>
public sealed class RegexProgramTests
{
    private const RegexOptions Options = RegexOptions.NonBacktracking | RegexOptions.CultureInvariant;

    [Theory]
    [InlineData("abc")]
    [InlineData("")]
    [InlineData("^a.*b$")]
    [InlineData("^(?:a|b|cd)+$")]
    [InlineData(@"\d{2,4}-\w+")]
    [InlineData("[a-z-]")]
    [InlineData("[-a]")]
    [InlineData("(?<name>a)(b)?")]
    [InlineData("a{0}b{2,}")]
    [InlineData(@"\.\*\-\/")]
    [InlineData(@"\Aa\z")]
    [InlineData("a]}")]
    public void An_automaton_is_made_of_plain_expressions(string pattern)
    {
        Assert.True(new RegexProgram().TryCompile(pattern));
        _ = new Regex(pattern, Options);
    }

    [Theory]
    [InlineData(@"\bfoo\b")]
    [InlineData("(?i)foo")]
    [InlineData(@"\p{L}")]
    [InlineData("[a-z-[aeiou]]")]
    [InlineData("[]a]")]
    [InlineData("a{,5}")]
    [InlineData("a$\n")]
    [InlineData(@"a$\z")]
    [InlineData("$^")]
    [InlineData("(?#comment)a")]
    [InlineData(@"\101")]
    [InlineData("^*a")]
    [InlineData(@"\<a")]
    public void Others_are_left_to_the_engine_of_NET(string pattern)
    {
        Assert.False(new RegexProgram().TryCompile(pattern));
        _ = new Regex(pattern, Options);
        SearchQuery query = new();
        Assert.IsType<Regex>(query.Node(query.Regex("F", pattern)).Pattern);
    }

    [Theory]
    [InlineData("(a")]
    [InlineData("a)")]
    [InlineData("[a")]
    [InlineData("*a")]
    [InlineData("a**")]
    [InlineData("a{3,2}")]
    [InlineData("[z-a]")]
    [InlineData(@"\_")]
    [InlineData(@"\")]
    [InlineData("a{99999999999}")]
    [InlineData("(?<1a>b)")]
    public void What_is_no_expression_is_refused(string pattern)
    {
        Assert.False(new RegexProgram().TryCompile(pattern));
        Assert.ThrowsAny<ArgumentException>(() => new SearchQuery().Regex("F", pattern));
    }

    [Theory]
    [InlineData(@"\w")]
    [InlineData(@"\W")]
    [InlineData(@"\d")]
    [InlineData(@"[^\d]")]
    [InlineData(@"\s")]
    [InlineData(@"[\S]")]
    [InlineData(".")]
    [InlineData("[^a-cé]")]
    [InlineData(@"[\w\s-]")]
    public void Each_code_unit_is_in_the_sets_that_NET_has_it_in(string pattern)
    {
        RegexProgram program = new();
        Assert.True(program.TryCompile($@"^{pattern}\z"));
        Regex regex = new($@"^{pattern}\z", Options);
        for (int unit = 0; unit <= char.MaxValue; unit++)
        {
            string text = new((char)unit, 1);
            Assert.True(regex.IsMatch(text) == IsMatch(program, text), $"unit {unit:x4}");
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Whatever_an_automaton_is_made_of_matches_what_NET_matches(int seed)
    {
        PatternWords words = new(seed);
        string[] texts = words.Make(40);
        RegexProgram program = new();
        int made = 0;
        for (int i = 0; i < 400; i++)
        {
            string pattern = i % 3 == 0 ? words.Expression(2) : words.Garbage();
            if (!program.TryCompile(pattern))
            {
                continue;
            }

            made++;
            Regex regex = new(pattern, Options);
            foreach (string text in texts)
            {
                Assert.True(
                    regex.IsMatch(text) == IsMatch(program, text), $"seed {seed}, '{pattern}' on '{text}'");
            }
        }

        Assert.InRange(made, 100, 400);
    }

    [Fact]
    public void An_expression_that_has_exponentially_many_states_is_read_with_few()
    {
        const string pattern = "^(?:[ab]*a[ab]{16})$";
        RegexProgram program = new();
        Assert.True(program.TryCompile(pattern));
        Regex regex = new(pattern, Options);
        Random random = new(1);
        int epoch = program.States.Epoch;
        for (int i = 0; i < 60; i++)
        {
            string text = string.Concat(Enumerable.Range(0, 100).Select(_ => random.Next(2) == 0 ? 'a' : 'b'));
            Assert.Equal(regex.IsMatch(text), IsMatch(program, text));
            Assert.InRange(program.States.Count, 1, 4096);
        }

        Assert.True(program.States.Epoch > epoch, "states are forgotten");
    }

    [Theory]
    [InlineData("(((a{99}){99}){99}){99}")]
    [InlineData("((((){999}){999}){999}){999}")]
    [InlineData("a{1000}{1000}")]
    public void An_expression_that_would_be_too_large_is_left_to_the_engine_of_NET(string pattern) =>
        Assert.False(new RegexProgram().TryCompile(pattern));

    [Fact]
    public void Deep_parentheses_are_left_to_the_engine_of_NET()
    {
        string deep = new string('(', 1500) + "a" + new string(')', 1500);
        Assert.False(new RegexProgram().TryCompile(deep));
        StringBuilder sets = new();
        for (int i = 0; i < 400; i++)
        {
            sets.Append(System.Globalization.CultureInfo.InvariantCulture, $@"[\w{(char)(0x3000 + i)}]");
        }

        Assert.False(new RegexProgram().TryCompile(sets.ToString()));
    }

    private static bool IsMatch(RegexProgram program, string text)
    {
        int state = program.States.Start;
        foreach (char unit in text)
        {
            state = program.States.Step(state, unit);
        }

        return program.States.Accepts(state);
    }
}
