using System.Reflection;
using System.Runtime.CompilerServices;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>The methods that maps may call: all others are refused, so that a map cannot reach beyond
/// its document.</summary>
internal static class AllowedMethods
{
    /// <summary>Methods of values: their C# names, and the methods here that implement them.</summary>
    private static readonly Dictionary<string, string> Renamed = new()
    {
        ["ToString"] = nameof(DynamicText.Formatted),
        ["Equals"] = nameof(DynamicText.EqualTo),
        ["ToArray"] = nameof(DynamicSequence.ToList),
        ["ToHashSet"] = nameof(DynamicSequence.Distinct),
        ["First"] = nameof(DynamicSequence.FirstOrDefault),
        ["Single"] = nameof(DynamicSequence.FirstOrDefault),
        ["SingleOrDefault"] = nameof(DynamicSequence.FirstOrDefault),
        ["Last"] = nameof(DynamicSequence.LastOrDefault),
        ["ElementAt"] = nameof(DynamicSequence.ElementAtOrDefault),
    };

    /// <summary>Methods without effect here, as types are not known at compile time.</summary>
    private static readonly HashSet<string> WithoutEffect =
        ["AsEnumerable", "AsQueryable", "Cast", "OfType", "ToLocalTime", "ConfigureAwait"];

    /// <summary>Static methods and properties of .NET: type and name, and the code that implements them.</summary>
    private static readonly Dictionary<string, string> Statics = new()
    {
        ["String.Join"] = "DynamicText.Join",
        ["String.Concat"] = "DynamicText.Concat",
        ["String.Format"] = "DynamicText.FormatAll",
        ["String.IsNullOrEmpty"] = "DynamicText.IsNullOrEmpty",
        ["String.IsNullOrWhiteSpace"] = "DynamicText.IsNullOrWhiteSpace",
        ["String.Equals"] = "DynamicText.EqualTo",
        ["String.Compare"] = "DynamicText.CompareTo",
        ["Regex.IsMatch"] = "DynamicText.IsMatch",
        ["Regex.Match"] = "DynamicText.Match",
        ["Regex.Replace"] = "DynamicText.ReplaceMatches",
        ["DateTime.Parse"] = "DynamicDates.Parse",
        ["DateTimeOffset.Parse"] = "DynamicDates.Parse",
        ["DateTime.SpecifyKind"] = "DynamicDates.SpecifyKind",
        ["TimeSpan.Parse"] = "DynamicDates.ParseDuration",
        ["TimeSpan.FromDays"] = "DynamicDates.FromDays",
        ["TimeSpan.FromHours"] = "DynamicDates.FromHours",
        ["TimeSpan.FromMinutes"] = "DynamicDates.FromMinutes",
        ["TimeSpan.FromSeconds"] = "DynamicDates.FromSeconds",
        ["TimeSpan.FromMilliseconds"] = "DynamicDates.FromMilliseconds",
        ["Int32.Parse"] = "DynamicNumbers.Parse",
        ["Int64.Parse"] = "DynamicNumbers.Parse",
        ["Double.Parse"] = "DynamicNumbers.Parse",
        ["Decimal.Parse"] = "DynamicConvert.ToDecimal",
        ["Boolean.Parse"] = "DynamicConvert.ToBoolean",
        ["Convert.ToInt32"] = "DynamicConvert.ToInteger",
        ["Convert.ToInt64"] = "DynamicConvert.ToInteger",
        ["Convert.ToDouble"] = "DynamicConvert.ToReal",
        ["Convert.ToDecimal"] = "DynamicConvert.ToDecimal",
        ["Convert.ToBoolean"] = "DynamicConvert.ToBoolean",
        ["Convert.ToString"] = "DynamicConvert.ToText",
        ["Convert.ToDateTime"] = "DynamicConvert.ToDate",
        ["Enumerable.Range"] = "DynamicSequence.Range",
        ["Enumerable.Empty"] = "DynamicValue.List",
        ["Object.Equals"] = "DynamicText.EqualTo",
    };

    private static readonly Dictionary<string, string> Constants = new()
    {
        ["String.Empty"] = "DynamicValue.Of(\"\")",
        ["DateTime.MinValue"] = "DynamicDates.MinValue",
        ["DateTime.MaxValue"] = "DynamicDates.MaxValue",
        ["DateTimeOffset.MinValue"] = "DynamicDates.MinValue",
        ["DateTimeOffset.MaxValue"] = "DynamicDates.MaxValue",
        ["TimeSpan.Zero"] = "DynamicValue.Of(System.TimeSpan.Zero)",
        ["Int32.MaxValue"] = "DynamicValue.Of((long)int.MaxValue)",
        ["Int32.MinValue"] = "DynamicValue.Of((long)int.MinValue)",
        ["Int64.MaxValue"] = "DynamicValue.Of(long.MaxValue)",
        ["Int64.MinValue"] = "DynamicValue.Of(long.MinValue)",
        ["Double.MaxValue"] = "DynamicValue.Of(double.MaxValue)",
        ["Double.MinValue"] = "DynamicValue.Of(double.MinValue)",
        ["Math.PI"] = "DynamicValue.Of(System.Math.PI)",
        ["Math.E"] = "DynamicValue.Of(System.Math.E)",
    };

    private static readonly Dictionary<string, string> Keywords = new()
    {
        ["string"] = "String", ["int"] = "Int32", ["long"] = "Int64", ["short"] = "Int32", ["double"] = "Double",
        ["float"] = "Double", ["decimal"] = "Decimal", ["bool"] = "Boolean", ["object"] = "Object",
    };

    private static readonly HashSet<string> Types =
    [
        "String", "Int32", "Int64", "Double", "Decimal", "Boolean", "Object", "DateTime", "DateTimeOffset", "TimeSpan",
        "Math", "Regex", "Convert", "Enumerable",
    ];

    /// <summary>Enumerations whose members are written as their names.</summary>
    private static readonly HashSet<string> Names =
        ["StringComparison", "RegexOptions", "StringSplitOptions", "DayOfWeek", "DateTimeKind", "CultureInfo",
        "FieldStorage", "FieldIndexing"];

    private static readonly HashSet<string> Invariants =
    [
        "CultureInfo.InvariantCulture", "DateTimeStyles.None", "DateTimeStyles.RoundtripKind", "NumberStyles.Any",
        "NumberStyles.Integer", "NumberStyles.Float", "NumberStyles.Number",
    ];

    private static readonly ILookup<string, MethodInfo> Methods = new[]
    {
        typeof(DynamicText), typeof(DynamicSequence), typeof(DynamicCalls),
    }
    .SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Static))
    .Where(method => method.IsDefined(typeof(ExtensionAttribute), false))
    .ToLookup(method => method.Name);

    /// <summary>The plain name of a type of .NET that maps know; null for others.</summary>
    internal static string? TypeOf(string name)
    {
        string last = name[(name.LastIndexOf('.') + 1)..];
        string plain = Keywords.GetValueOrDefault(last, last);
        return Types.Contains(plain) ? plain : null;
    }

    internal static bool IsEnumeration(string name) => Names.Contains(name[(name.LastIndexOf('.') + 1)..]);

    internal static string? StaticOf(string type, string name) => type == "Math"
        ? typeof(DynamicMath).GetMethod(name) is null ? null : $"DynamicMath.{name}"
        : Statics.GetValueOrDefault($"{type}.{name}");

    /// <summary>Whether the implementation of a static method takes this number of arguments.</summary>
    /// <param name="known">The implementation: the name of a class and its method.</param>
    /// <param name="count">How many arguments there are.</param>
    internal static bool AllowsStatic(string known, int count)
    {
        string[] parts = known.Split('.');
        Type type = typeof(DynamicValue).Assembly.GetType($"{typeof(DynamicValue).Namespace}.{parts[0]}")!;
        return type.GetMethods(BindingFlags.Public | BindingFlags.Static).Any(method =>
            method.Name == parts[1] && Fits(method.GetParameters(), count));
    }

    /// <summary>Whether an argument is the default for all texts of documents: the invariant culture, or a style that
    /// reads them unchanged.</summary>
    internal static bool IsInvariant(string name) =>
        Invariants.Contains(string.Join('.', name.Split('.').TakeLast(2)));

    internal static string? ConstantOf(string type, string name) => Constants.GetValueOrDefault($"{type}.{name}");

    internal static bool IsWithoutEffect(string name) => WithoutEffect.Contains(name);

    /// <summary>The method that implements a method of a value; null if there is none.</summary>
    internal static string? MethodOf(string name)
    {
        string plain = Renamed.GetValueOrDefault(name, name);
        return Methods.Contains(plain) ? plain : null;
    }

    /// <summary>
    /// Whether a method takes this number of arguments, and functions with these numbers of parameters.
    /// </summary>
    /// <param name="method">The method that implements it.</param>
    /// <param name="functions">For each argument that is a function, the number of its parameters; -1 for
    /// a value.</param>
    internal static bool Allows(string method, IReadOnlyList<int> functions) =>
        Methods[method].Any(candidate => Fits(candidate.GetParameters(), functions));

    private static bool Fits(ParameterInfo[] parameters, IReadOnlyList<int> functions)
    {
        bool isOpen = parameters[^1].ParameterType == typeof(DynamicValue[]);
        if (isOpen)
        {
            return functions.All(count => count < 0);
        }

        for (int i = 1; i < parameters.Length; i++)
        {
            if (i > functions.Count)
            {
                if (!parameters[i].HasDefaultValue)
                {
                    return false;
                }
            }
            else if (ParametersOf(parameters[i].ParameterType) != functions[i - 1])
            {
                return false;
            }
        }

        return functions.Count < parameters.Length;
    }

    private static bool Fits(ParameterInfo[] parameters, int count) =>
        parameters is [.., { ParameterType: var last }] && last == typeof(DynamicValue[])
            ? count >= parameters.Length - 1
            : count <= parameters.Length && parameters.Skip(count).All(parameter => parameter.HasDefaultValue);

    private static int ParametersOf(Type type) =>
        type.IsGenericType && typeof(Delegate).IsAssignableFrom(type) ? type.GetGenericArguments().Length - 1 : -1;
}
