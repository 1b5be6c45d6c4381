using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace FastTests.Architecture;

/// <summary>
/// What a library offers is written down: a change of the public surface is a change of a golden file in the same
/// commit. Run with DEV_UPDATE_GOLDEN=1 to write the files anew, then read the diff.
/// </summary>
public sealed class PublicApiTests
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    [Theory]
    [InlineData("Raven.Blittable")]
    [InlineData("Raven.Storage")]
    [InlineData("Raven.Scripting")]
    [InlineData("Raven.Search")]
    [InlineData("Raven.Server")]
    [InlineData("Raven.Client")]
    [InlineData("Raven.TestDriver")]
    [InlineData("Raven.DependencyInjection")]
    public void The_public_surface_is_the_written_one(string assembly)
    {
        string actual = Describe(Assembly.Load(assembly));
        string path = Path.Combine(SourceTree.Root, "tests/FastTests/Architecture/PublicApi", assembly + ".txt");
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, actual);
        }

        Assert.Equal(File.ReadAllText(path), actual);
    }

    private static string Describe(Assembly assembly)
    {
        StringBuilder text = new();
        foreach (Type type in assembly.GetExportedTypes().OrderBy(NameOf, StringComparer.Ordinal))
        {
            text.Append(KindOf(type)).Append(' ').Append(NameOf(type)).Append('\n');
            IEnumerable<string> members = type.GetMembers(Declared)
                .Where(IsWritten).Select(Describe).Order(StringComparer.Ordinal);
            foreach (string member in members)
            {
                text.Append("    ").Append(member).Append('\n');
            }
        }

        return text.ToString();
    }

    private static bool IsWritten(MemberInfo member) =>
        member is not MethodBase { IsSpecialName: true, IsConstructor: false }
        && member.GetCustomAttribute<CompilerGeneratedAttribute>() is null
        && member is not Type;

    private static string Describe(MemberInfo member) => member switch
    {
        FieldInfo { IsLiteral: true } field =>
            $"const {NameOf(field.FieldType)} {field.Name} = {field.GetRawConstantValue()}",
        FieldInfo field => $"field {NameOf(field.FieldType)} {field.Name}",
        PropertyInfo property => $"property {NameOf(property.PropertyType)} {property.Name}"
            + Parameters(property.GetIndexParameters())
            + (property.GetMethod?.IsPublic == true ? " get" : "")
            + (property.SetMethod?.IsPublic == true ? " set" : ""),
        EventInfo happening => $"event {NameOf(happening.EventHandlerType!)} {happening.Name}",
        ConstructorInfo constructor => $"new({string.Join(", ", constructor.GetParameters().Select(Describe))})",
        MethodInfo method => $"{(method.IsStatic ? "static " : "")}{NameOf(method.ReturnType)} {method.Name}"
            + (method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(NameOf))}>" : "")
            + $"({string.Join(", ", method.GetParameters().Select(Describe))})",
        _ => member.ToString()!,
    };

    private static string Parameters(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? "" : $"[{string.Join(", ", parameters.Select(Describe))}]";

    private static string Describe(ParameterInfo parameter) =>
        (parameter.IsOut ? "out " : parameter.ParameterType.IsByRef ? "ref " : "")
        + $"{NameOf(parameter.ParameterType)} {parameter.Name}"
        + (parameter.HasDefaultValue ? " = " + (parameter.RawDefaultValue ?? "default") : "");

    private static string KindOf(Type type) =>
        type.IsEnum ? "enum" : type.IsInterface ? "interface" : type.IsValueType ? "struct"
        : typeof(Delegate).IsAssignableFrom(type) ? "delegate"
        : type is { IsAbstract: true, IsSealed: true } ? "static class"
        : type.IsSealed ? "sealed class" : type.IsAbstract ? "abstract class" : "class";

    private static string NameOf(Type type)
    {
        if (type.IsByRef || type.IsPointer || type.IsArray)
        {
            return NameOf(type.GetElementType()!) + (type.IsPointer ? "*" : type.IsArray ? "[]" : "");
        }

        string name = type.IsGenericParameter ? type.Name
            : type.IsNested ? $"{NameOf(type.DeclaringType!)}.{type.Name}"
            : type.Namespace is "System" ? type.Name : type.FullName?.Split('[')[0] ?? $"{type.Namespace}.{type.Name}";
        return type.IsGenericType
            ? $"{name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
            : name;
    }
}
