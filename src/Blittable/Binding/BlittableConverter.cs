using System.Globalization;
using System.Reflection;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Binding;

/// <summary>The methods that compiled binders call for a single value: one pair for each kind of type.</summary>
internal static class BlittableConverter
{
    /// <summary>Writes a name given as a string.</summary>
    internal static MethodInfo NameMethod { get; } = Method(nameof(WriteName));

    /// <summary>The method (BlittableValue value, string property) that reads a type.</summary>
    /// <exception cref="NotSupportedException">The type cannot be bound.</exception>
    internal static MethodInfo ReaderOf(Type type) => Find(type, "Read");

    /// <summary>The method (BlittableWriter target, value) that writes a type.</summary>
    internal static MethodInfo WriterOf(Type type) => Find(type, "Write");

    private static MethodInfo Find(Type type, string verb)
    {
        if (Nullable.GetUnderlyingType(type) is { } inner)
        {
            return Method(verb + "Nullable").MakeGenericMethod(inner);
        }

        if (type.IsEnum)
        {
            return Method(verb + "Enum").MakeGenericMethod(type);
        }

        if (type.IsArray)
        {
            return Method(verb + "Array").MakeGenericMethod(type.GetElementType()!);
        }

        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>))
        {
            return Method(verb + "List").MakeGenericMethod(type.GetGenericArguments()[0]);
        }

        string? simple = Type.GetTypeCode(type) switch
        {
            TypeCode.String => "String",
            TypeCode.Boolean => "Boolean",
            TypeCode.Int32 => "Int32",
            TypeCode.Int64 => "Int64",
            TypeCode.Double => "Double",
            TypeCode.Decimal => "Decimal",
            _ => type == typeof(Dictionary<string, string>) ? "Dictionary" : null,
        };
        if (simple is not null)
        {
            return Method(verb + simple);
        }

        return type.IsClass && type.GetConstructor([]) is not null
            ? Method(verb + "Object").MakeGenericMethod(type)
            : throw new NotSupportedException($"Documents are not bound to {type}.");
    }

    private static MethodInfo Method(string name) =>
        typeof(BlittableConverter).GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!;

    private static BlittableBindingException Wrong(BlittableValue value, string property, string wanted) =>
        new(property, $"holds {value.Kind} and not {wanted}.");

    internal static string? ReadString(BlittableValue value, string property) =>
        value.IsNull ? null : value.TryGetString(out string text) ? text : throw Wrong(value, property, "a string");

    internal static bool ReadBoolean(BlittableValue value, string property) =>
        value.TryGetBoolean(out bool read) ? read : throw Wrong(value, property, "true or false");

    internal static long ReadInt64(BlittableValue value, string property) =>
        value.TryGetInt64(out long read) ? read : throw Wrong(value, property, "a whole number");

    internal static int ReadInt32(BlittableValue value, string property)
    {
        long read = ReadInt64(value, property);
        return read == (int)read
            ? (int)read
            : throw new BlittableBindingException(property, "is too large for 32 bits.");
    }

    internal static double ReadDouble(BlittableValue value, string property) =>
        value.TryGetDouble(out double read) ? read : throw Wrong(value, property, "a number");

    internal static decimal ReadDecimal(BlittableValue value, string property) =>
        value.TryGetDecimal(out decimal read) ? read : throw Wrong(value, property, "a decimal number");

    internal static T ReadEnum<T>(BlittableValue value, string property)
        where T : struct, Enum
    {
        string? name = ReadString(value, property);
        return name is not null && Enum.TryParse(name, out T read) && Enum.GetName(read) == name
            ? read
            : throw new BlittableBindingException(property, $"is none of {string.Join(", ", Enum.GetNames<T>())}.");
    }

    internal static T? ReadNullable<T>(BlittableValue value, string property)
        where T : struct => value.IsNull ? null : Converter<T>.Read(value, property);

    internal static List<T>? ReadList<T>(BlittableValue value, string property)
    {
        if (value.IsNull)
        {
            return null;
        }

        if (!value.TryGetArray(out BlittableArray elements))
        {
            throw Wrong(value, property, "an array");
        }

        List<T> list = new(elements.Count);
        for (int i = 0; i < elements.Count; i++)
        {
            list.Add(Converter<T>.Read(elements[i], $"{property}[{i}]"));
        }

        return list;
    }

    internal static T[]? ReadArray<T>(BlittableValue value, string property) => ReadList<T>(value, property)?.ToArray();

    internal static T? ReadObject<T>(BlittableValue value, string property)
        where T : class, new() => value.IsNull
            ? null
            : value.TryGetObject(out BlittableObject source)
                ? CompiledBinder<T>.Read(source)
                : throw Wrong(value, property, "an object");

    /// <summary>Strings unchanged; numbers, true and false as their JSON text; null is left out.</summary>
    internal static Dictionary<string, string>? ReadDictionary(BlittableValue value, string property)
    {
        if (value.IsNull)
        {
            return null;
        }

        if (!value.TryGetObject(out BlittableObject source))
        {
            throw Wrong(value, property, "an object");
        }

        Dictionary<string, string> read = new(source.Count, StringComparer.Ordinal);
        for (int i = 0; i < source.Count; i++)
        {
            BlittableProperty member = source.GetProperty(i);
            if (!member.Value.IsNull)
            {
                read[member.GetName()] = TextOf(member.Value, $"{property}.{member.GetName()}");
            }
        }

        return read;
    }

    private static string TextOf(BlittableValue value, string property)
    {
        if (value.TryGetString(out string text))
        {
            return text;
        }

        if (value.TryGetBoolean(out bool flag))
        {
            return flag ? "true" : "false";
        }

        Span<byte> number = value.Kind is ValueKind.Integer or ValueKind.Number
            ? new byte[Math.Max(64, value.Memory.Length)]
            : throw Wrong(value, property, "a string");
        value.TryFormatNumber(number, out int written);
        return Encoding.ASCII.GetString(number[..written]);
    }

    internal static void WriteName(BlittableWriter target, string name) => target.Name(name);

    internal static void WriteString(BlittableWriter target, string? value)
    {
        if (value is null)
        {
            target.Null();
        }
        else
        {
            target.String(value);
        }
    }

    internal static void WriteBoolean(BlittableWriter target, bool value) => target.Boolean(value);

    internal static void WriteInt32(BlittableWriter target, int value) => target.Number(value);

    internal static void WriteInt64(BlittableWriter target, long value) => target.Number(value);

    internal static void WriteDouble(BlittableWriter target, double value) => target.Number(value);

    internal static void WriteDecimal(BlittableWriter target, decimal value) =>
        target.NumberText(Encoding.ASCII.GetBytes(value.ToString(CultureInfo.InvariantCulture)));

    internal static void WriteEnum<T>(BlittableWriter target, T value)
        where T : struct, Enum => target.String(value.ToString());

    internal static void WriteNullable<T>(BlittableWriter target, T? value)
        where T : struct
    {
        if (value is { } there)
        {
            Converter<T>.Write(target, there);
        }
        else
        {
            target.Null();
        }
    }

    internal static void WriteList<T>(BlittableWriter target, List<T>? value) => WriteArray(target, value?.ToArray());

    internal static void WriteArray<T>(BlittableWriter target, T[]? value)
    {
        if (value is null)
        {
            target.Null();
            return;
        }

        target.StartArray();
        foreach (T element in value)
        {
            Converter<T>.Write(target, element);
        }

        target.EndArray();
    }

    internal static void WriteObject<T>(BlittableWriter target, T? value)
        where T : class, new()
    {
        if (value is null)
        {
            target.Null();
        }
        else
        {
            CompiledBinder<T>.Write(target, value);
        }
    }

    internal static void WriteDictionary(BlittableWriter target, Dictionary<string, string>? value)
    {
        if (value is null)
        {
            target.Null();
            return;
        }

        target.StartObject();
        foreach ((string name, string text) in value)
        {
            target.Name(name);
            WriteString(target, text);
        }

        target.EndObject();
    }

    private static class Converter<T>
    {
        internal static readonly Func<BlittableValue, string, T> Read =
            ReaderOf(typeof(T)).CreateDelegate<Func<BlittableValue, string, T>>();

        internal static readonly Action<BlittableWriter, T> Write =
            WriterOf(typeof(T)).CreateDelegate<Action<BlittableWriter, T>>();
    }
}
