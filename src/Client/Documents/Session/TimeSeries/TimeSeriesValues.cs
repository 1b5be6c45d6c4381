using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Raven.Client.Documents.Session.TimeSeries;

/// <summary>Values of entries as objects of a type, and back.</summary>
internal static class TimeSeriesValues<T> where T : new()
{
    private static readonly Lazy<MemberInfo[]> Members = new(() => TimeSeriesValues.MembersOf(typeof(T)));

    internal static T Read(double[] values)
    {
        object read = new T();
        MemberInfo[] members = Members.Value;
        for (int i = 0; i < members.Length; i++)
        {
            object value = i < values.Length ? values[i] : double.NaN;
            switch (members[i])
            {
                case PropertyInfo property:
                    property.SetValue(read, value);
                    break;
                case FieldInfo field:
                    field.SetValue(read, value);
                    break;
                default:
                    break;
            }
        }

        return (T)read;
    }

    /// <summary>The values of an object, up to the last one that is a number.</summary>
    internal static double[] Write(T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        double[] values = [.. Members.Value.Select(member => ValueOf(member, value))];
        int count = values.Length;
        while (count > 1 && double.IsNaN(values[count - 1]))
        {
            count--;
        }

        return values[..count];
    }

    private static double ValueOf(MemberInfo member, object value) => (double)(member is PropertyInfo property
        ? property.GetValue(value)
        : ((FieldInfo)member).GetValue(value))!;
}

/// <summary>The members of types that stand for values of entries.</summary>
internal static class TimeSeriesValues
{
    private const int ValuesMax = 32;

    /// <summary>The members of a type, by the numbers of their values.</summary>
    /// <exception cref="InvalidOperationException">The type has none, or no valid ones.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2070:UnrecognizedReflectionPattern",
        Justification = "The application keeps the types of its entries: docs/client.md.")]
    internal static MemberInfo[] MembersOf(Type type)
    {
        (MemberInfo Member, byte Index)[] found =
        [
            .. type.GetMembers(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
                .Select(member => (member, member.GetCustomAttribute<TimeSeriesValueAttribute>()?.Index))
                .Where(one => one.Index != null).Select(one => (one.member, one.Index!.Value))
                .OrderBy(one => one.Item2),
        ];
        if (found.Length is 0 or > ValuesMax)
        {
            throw Wrong(type, $"it needs 1 to {ValuesMax} members with a {nameof(TimeSeriesValueAttribute)}");
        }

        for (int i = 0; i < found.Length; i++)
        {
            if (found[i].Index != i)
            {
                throw Wrong(type, $"the numbers of its values must be 0, 1 and so on, but {i} is missing or twice");
            }

            if (TypeOf(found[i].Member) != typeof(double))
            {
                throw Wrong(type, $"'{found[i].Member.Name}' must be a double");
            }
        }

        return [.. found.Select(one => one.Member)];
    }

    /// <summary>The number of the value that a member is; null if it is none.</summary>
    internal static int? IndexOf(MemberInfo member) => member.GetCustomAttribute<TimeSeriesValueAttribute>()?.Index;

    private static Type? TypeOf(MemberInfo member) =>
        (member as PropertyInfo)?.PropertyType ?? (member as FieldInfo)?.FieldType;

    private static InvalidOperationException Wrong(Type type, string why) =>
        new($"{type.Name} cannot stand for the values of a time series: {why}.");
}
