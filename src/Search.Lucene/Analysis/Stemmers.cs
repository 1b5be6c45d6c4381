using Lucene.Net.Analysis;
using Lucene.Net.Analysis.De;
using Lucene.Net.Analysis.En;
using Lucene.Net.Analysis.Es;
using Lucene.Net.Analysis.Fi;
using Lucene.Net.Analysis.Fr;
using Lucene.Net.Analysis.Gl;
using Lucene.Net.Analysis.Hu;
using Lucene.Net.Analysis.It;
using Lucene.Net.Analysis.No;
using Lucene.Net.Analysis.Pt;
using Lucene.Net.Analysis.Ru;
using Lucene.Net.Analysis.Snowball;
using Lucene.Net.Analysis.Sv;
using Ext = Lucene.Net.Tartarus.Snowball.Ext;
using SnowballProgram = Lucene.Net.Tartarus.Snowball.SnowballProgram;

namespace Raven.Search.Lucene.Analysis;

/// <summary>The stemmers that an option can name: those of Snowball, and the lighter ones of Lucene.</summary>
internal static class Stemmers
{
    private static readonly Dictionary<string, Func<TokenStream, TokenStream>> All =
        new(StringComparer.OrdinalIgnoreCase)
        {
            [string.Empty] = input => input,
            ["Armenian"] = Snowball<Ext.ArmenianStemmer>,
            ["Basque"] = Snowball<Ext.BasqueStemmer>,
            ["Catalan"] = Snowball<Ext.CatalanStemmer>,
            ["Danish"] = Snowball<Ext.DanishStemmer>,
            ["Dutch"] = Snowball<Ext.DutchStemmer>,
            ["English"] = Snowball<Ext.EnglishStemmer>,
            ["EnglishMinimal"] = input => new EnglishMinimalStemFilter(input),
            ["Finnish"] = Snowball<Ext.FinnishStemmer>,
            ["FinnishLight"] = input => new FinnishLightStemFilter(input),
            ["French"] = Snowball<Ext.FrenchStemmer>,
            ["FrenchLight"] = input => new FrenchLightStemFilter(input),
            ["FrenchMinimal"] = input => new FrenchMinimalStemFilter(input),
            ["Galician"] = input => new GalicianStemFilter(input),
            ["GalicianMinimal"] = input => new GalicianMinimalStemFilter(input),
            ["German"] = Snowball<Ext.GermanStemmer>,
            ["German2"] = Snowball<Ext.German2Stemmer>,
            ["GermanLight"] = input => new GermanLightStemFilter(input),
            ["GermanMinimal"] = input => new GermanMinimalStemFilter(input),
            ["Hungarian"] = Snowball<Ext.HungarianStemmer>,
            ["HungarianLight"] = input => new HungarianLightStemFilter(input),
            ["Irish"] = Snowball<Ext.IrishStemmer>,
            ["Italian"] = Snowball<Ext.ItalianStemmer>,
            ["ItalianLight"] = input => new ItalianLightStemFilter(input),
            ["KStem"] = input => new KStemFilter(input),
            ["Kp"] = Snowball<Ext.KpStemmer>,
            ["Lovins"] = Snowball<Ext.LovinsStemmer>,
            ["Norwegian"] = Snowball<Ext.NorwegianStemmer>,
            ["NorwegianLight"] = input => new NorwegianLightStemFilter(input),
            ["NorwegianMinimal"] = input => new NorwegianMinimalStemFilter(input),
            ["Porter"] = input => new PorterStemFilter(input),
            ["Portuguese"] = Snowball<Ext.PortugueseStemmer>,
            ["PortugueseLight"] = input => new PortugueseLightStemFilter(input),
            ["PortugueseMinimal"] = input => new PortugueseMinimalStemFilter(input),
            ["PortugueseRslp"] = input => new PortugueseStemFilter(input),
            ["Romanian"] = Snowball<Ext.RomanianStemmer>,
            ["Russian"] = Snowball<Ext.RussianStemmer>,
            ["RussianLight"] = input => new RussianLightStemFilter(input),
            ["Spanish"] = Snowball<Ext.SpanishStemmer>,
            ["SpanishLight"] = input => new SpanishLightStemFilter(input),
            ["Swedish"] = Snowball<Ext.SwedishStemmer>,
            ["SwedishLight"] = input => new SwedishLightStemFilter(input),
            ["Turkish"] = Snowball<Ext.TurkishStemmer>,
        };

    /// <summary>The names, in order.</summary>
    internal static IEnumerable<string> Names =>
        All.Keys.Where(name => name.Length > 0).Order(StringComparer.OrdinalIgnoreCase);

    /// <summary>The name of a stemmer as the list has it; null if there is none.</summary>
    internal static string? Find(string name) =>
        All.Keys.FirstOrDefault(one => one.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Adds a stemmer to a stream of words in lower case.</summary>
    internal static TokenStream Append(TokenStream input, string name) => All[name](input);

    private static SnowballFilter Snowball<T>(TokenStream input)
        where T : SnowballProgram, new() => new(input, new T());
}
