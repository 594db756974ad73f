; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 9f7ffe168305298e0b4cd65cb0fbbcf0617a1331537c3d41b4122689ec42c594

@__const.olympus_log1p_less_x.c = private constant [17 x double] [double 0x3F9D41D41D41D41D, double 0x3F9F07C1F07C1F08, double 0x3FA0842108421084, double 0x3FA1A7B9611A7B96, double 0x3FA2F684BDA12F68, double 4.000000e-02, double 0x3FA642C8590B2164, double 0x3FA8618618618618, double 0x3FAAF286BCA1AF28, double 0x3FAE1E1E1E1E1E1E, double 0x3FB1111111111111, double 0x3FB3B13B13B13B14, double 0x3FB745D1745D1746, double 0x3FBC71C71C71C71C, double 0x3FC2492492492492, double 2.000000e-01, double 0x3FD5555555555555], align 16
@__const.olympus_stirling_rest.c = private constant [10 x double] [double 0xBFF6476701181F3A, double 0x3FC6FE96381E0680, double 0xBF9E4286CB0F5398, double 0x3F7A41A41A41A41A, double 0xBF5F6AB0D9993C7D, double 0x3F4B951E2B18FF23, double 0xBF43813813813814, double 0x3F4A01A01A01A01A, double 0xBF66C16C16C16C17, double 0x3FB5555555555555], align 16
@__const.olympus_log_less_digamma.c = private constant [10 x double] [double 0xC03A74CA514CA515, double 0x40086E7F9B9FE6E8, double 0xBFDC5E5E5E5E5E5E, double 0x3FB5555555555555, double 0xBF95995995995996, double 0x3F7F07C1F07C1F08, double 0xBF71111111111111, double 0x3F70410410410410, double 0xBF81111111111111, double 0x3FB5555555555555], align 16
@__const.olympus_lgamma_one_more.c = private constant [28 x double] [double 0xBDD1A7C26EC2523C, double 0x3DE24932A337434C, double 0xBDF2F69A9FABE3E0, double 0x3E03B15D2B2FC10C, double 0xBE147B1679258D0E, double 0x3E2555A877FFD2C3, double 0xBE36434A8447AEAD, double 0x3E47469DACCFADCD, double 0xBE5862C734DF3EAC, double 0x3E699B93C2070B0F, double 0xBE7AF5A6CBBF8A97, double 0x3E8C76BBB3F07A4D, double 0xBE9E2600D93CFD2F, double 0x3EB0064CDEB22F0F, double 0xBEC11B2EB7679541, double 0x3ED2597A39F34AAC, double 0xBEE3CBC963CE2243, double 0x3EF580DCEE66EB02, double 0xBF078DE5BD7C81EF, double 0x3F1A127B0F17D65A, double 0xBF2D3FD4C76D2FC8, double 0x3F40B36AF86396E9, double 0xBF538AC5C2BF8E08, double 0x3F67ADD6EADB6C30, double 0xBF7E404FC218F5F2, double 0x3F951322AC7D8483, double 0xBFB13E001A557607, double 0x3FD4A34CC4A60FA6], align 16
@__const.olympus_node.c = private constant [32 x double] [double 0x3F566A18FBF64A0F, double 0x3F7D77B63AD0C91B, double 0x3F920AAE7FAC455A, double 0x3FA0A9FED30405EE, double 0x3FAA8AB25D459A36, double 0x3FB347EC0A5E57B4, double 0x3FBA4E5ADF8ED0EB, double 0x3FC123ED9C52D88D, double 0x3FC590AEC76F00ED, double 0x3FCA62DD72D3A6B8, double 0x3FCF8EF3AF329AC5, double 0x3FD2844A541C8387, double 0x3FD5615518D42105, double 0x3FD857C20798FDAD, double 0x3FDB607C563A0372, double 0x3FDE74437B7733B6, double 0x3FE0C5DE42446625, double 0x3FE24FC1D4E2FE47, double 0x3FE3D41EFC338129, double 0x3FE54F557395EF7D, double 0x3FE6BDDAD5F1BE3C, double 0x3FE81C431433594F, double 0x3FE96748A34B1652, double 0x3FEA9BD44E243FC5, double 0x3FEBB70498EB49DD, double 0x3FECB634A40E25E3, double 0x3FED97027EB43509, double 0x3FEE5754DA2BA65D, double 0x3FEEF56012CFBFA1, double 0x3FEF6FAA8C029DD5, double 0x3FEFC510938A5E6E, double 0x3FEFF4CAF38204DB], align 16
@__const.olympus_node_weight.c = private constant [32 x double] [double 0x3F6CBF8BC743CC5C, double 0x3F80AA3C248696C9, double 0x3F8A0060A8531FFA, double 0x3F918C5800A355D9, double 0x3F95EE963A335495, double 0x3F9A1C6AE961FBFA, double 0x3F9E0BD76C924981, double 0x3FA0D9B9A62CAC10, double 0x3FA2854103B35E0C, double 0x3FA40483E126FD14, double 0x3FA553EE25EBEBC6, double 0x3FA6705E18E13ED1, double 0x3FA7572BDB3F6E51, double 0x3FA8062FC0F6FEF9, double 0x3FA87BC776F8C6D7, double 0x3FA8B6D9EAEC77AD, double 0x3FA8B6D9EAEC77AD, double 0x3FA87BC776F8C6D7, double 0x3FA8062FC0F6FEF9, double 0x3FA7572BDB3F6E51, double 0x3FA6705E18E13ED1, double 0x3FA553EE25EBEBC6, double 0x3FA40483E126FD14, double 0x3FA2854103B35E0C, double 0x3FA0D9B9A62CAC10, double 0x3F9E0BD76C924981, double 0x3F9A1C6AE961FBFA, double 0x3F95EE963A335495, double 0x3F918C5800A355D9, double 0x3F8A0060A8531FFA, double 0x3F80AA3C248696C9, double 0x3F6CBF8BC743CC5C], align 16
@__const.olympus_bessel_i0e.small = private constant [30 x double] [double 0xBC545CB72134D0EF, double 0x3C833362977DA589, double 0xBCB184EB721EBBB4, double 0x3CDEE6D893F65EBA, double 0xBD0A5022C297FBEB, double 0x3D359B464B262627, double 0xBD61164C62EE1AF0, double 0x3D89FE2FE19BD324, double 0xBDB2FC957A946ABC, double 0x3DDA98BECC743C10, double 0xBE01D4FE13AE9556, double 0x3E26D903A454CB34, double 0xBE4BEAF68C0B30AB, double 0x3E703B769D4D6435, double 0xBE91EC638F227F8D, double 0x3EB2BF24978CF4AC, double 0xBED2866FCBA56427, double 0x3EF13F58BE9A2859, double 0xBF0E2B2659C41D5A, double 0x3F28B51B74107CAB, double 0xBF42E2FD1F15EB52, double 0x3F5ADC758A12100E, double 0xBF71B65E201AA849, double 0x3F859961F3DDE3DD, double 0xBF984E9EF121B6F0, double 0x3FA93E8ACEA8A32D, double 0xBFB84B70342D06EA, double 0x3FC5F7AC77AC88C0, double 0xBFD37FEBC057CD8D, double 0x3FD5A84E9035A22A], align 16
@__const.olympus_bessel_i0e.large = private constant [25 x double] [double 0xBC60ADB754CA8B19, double 0xBC5646DA66119130, double 0x3C89BE1812D98421, double 0x3C83F3DD076041CD, double 0xBCB4600BABD21FE4, double 0xBCB8AEE7D908DE38, double 0x3CDFEE7DA3EAFB1F, double 0x3CF12A919094E6D7, double 0xBD0583FE7E65629A, double 0xBD275D99CF68BB32, double 0x3D1156FF0D5FC545, double 0x3D5B1C8C6B83C073, double 0x3D694347FA268CEC, double 0xBD7F904303178D66, double 0xBDAD0FD7357E7BF2, double 0xBDC1511D08397425, double 0x3DAA24FEABE8004F, double 0x3E00F9CCC0F46F75, double 0x3E2D2C64A9225B87, double 0x3E58569280D6D56D, double 0x3E8B8007D9CD616E, double 0x3EC8412BC101C586, double 0x3F120FA378999E52, double 0x3F6B998CA2E59049, double 0x3FD9BE62ACA809CB], align 16
@__const.olympus_bessel_i1e.small = private constant [29 x double] [double 0x3C499F2A0C3C4014, double 0xBC7857D0C38A0576, double 0x3CA663E3E593BFAC, double 0xBCD3EAAA7E0D1573, double 0x3D011D7F0615290C, double 0xBD2C628E1C8F0B3B, double 0x3D56AF784779D955, double 0xBD8173835FB70366, double 0x3DA9CEE2B21D3154, double 0xBDD2510397EB07DE, double 0x3DF8EA34B43FDF6C, double 0xBE20361B28EA67E6, double 0x3E44258E02395010, double 0xBE67DD3E24B8C3E8, double 0x3E8AE344B347D108, double 0xBEACC0798363992A, double 0x3ECD1C4ED511AFC5, double 0xBEEBD5F9B8DEBBCF, double 0x3F0911B542C70D0B, double 0xBF2533CAD3D694FE, double 0x3F40C95DB6C6DF7D, double 0xBF58CC620B3CD4A4, double 0x3F71065349D3A1B4, double 0xBF85A29F7913A26A, double 0x3F9951E3E7BB2349, double 0xBFAB1BBC537C9EBC, double 0x3FBA46DAD536F53C, double 0xBFC694D10469192E, double 0x3FC02A63724A7FFA], align 16
@__const.olympus_bessel_i1e.large = private constant [25 x double] [double 0x3C61556DB352E8E6, double 0x3C545B8AEA87B950, double 0xBC8ACEA3B2532277, double 0xBC82806C9C773320, double 0x3CB55915FCEB588A, double 0x3CB7D68E5F04A2D1, double 0xBCE0EFCD8BC4D22A, double 0xBCF12DB5138AFBC7, double 0x3D0776E1762D31E8, double 0x3D280D3C26B3281E, double 0xBD17A9482E6D22A0, double 0xBD5CBC458E73E255, double 0xBD6953E1076AB493, double 0x3D81E7D3F6439FA3, double 0x3DAF101F653C457B, double 0x3DC1E1A1F1587865, double 0xBDB4DCF9D4504C0C, double 0xBE0334CA5423DD80, double 0xBE30790B9AD53528, double 0xBE5C415394BB46C1, double 0xBE90DBFD2E9E5443, double 0xBED048DF49CA0373, double 0xBF1CFD7F804AA9A6, double 0xBF83FDA053FCDB4C, double 0x3FD8EA18B55B1514], align 16
@__const.olympus_zeta_scaled.c = private constant [10 x double] [double 0xBCAF57D968CAACF1, double 0x3D0355871D652E9E, double 0xBD57DA4E1F79955C, double 0x3DAD6DB2C4E09162, double 0xBE022805D644267F, double 0x3E566A8F2BF70EBE, double 0xBEABBD779334EF0B, double 0x3F01566ABC011567, double 0xBF56C16C16C16C17, double 0x3FB5555555555555], align 16

define double @olympus_log1p_less_x(double %0) nounwind {
  %2 = fcmp ogt double %0, -5.000000e-01
  %3 = fcmp olt double %0, 1.000000e+00
  %4 = and i1 %2, %3
  br i1 %4, label %8, label %5

5:
  %6 = tail call double @log1p(double %0)
  %7 = fsub double %6, %0
  br label %26

8:
  %9 = fadd double %0, 2.000000e+00
  %10 = fdiv double %0, %9
  %11 = fmul double %10, %10
  br label %17

12:
  %13 = fmul double %11, 2.000000e+00
  %14 = fmul double %13, %23
  %15 = fsub double %14, %0
  %16 = fmul double %10, %15
  br label %26

17:
  %18 = phi i64 [ 1, %8 ], [ %24, %17 ]
  %19 = phi double [ 0x3F9D41D41D41D41D, %8 ], [ %23, %17 ]
  %20 = fmul double %11, %19
  %21 = getelementptr inbounds nuw double, ptr @__const.olympus_log1p_less_x.c, i64 %18
  %22 = load double, ptr %21, align 8
  %23 = fadd double %20, %22
  %24 = add nuw nsw i64 %18, 1
  %25 = icmp eq i64 %24, 17
  br i1 %25, label %12, label %17

26:
  %27 = phi double [ %16, %12 ], [ %7, %5 ]
  ret double %27
}

declare double @log1p(double)

define double @olympus_stirling_rest(double %0) nounwind {
  %2 = fdiv double 1.000000e+00, %0
  %3 = fmul double %2, %2
  br label %6

4:
  %5 = fmul double %2, %12
  ret double %5

6:
  %7 = phi i64 [ 1, %1 ], [ %13, %6 ]
  %8 = phi double [ 0xBFF6476701181F3A, %1 ], [ %12, %6 ]
  %9 = fmul double %3, %8
  %10 = getelementptr inbounds nuw double, ptr @__const.olympus_stirling_rest.c, i64 %7
  %11 = load double, ptr %10, align 8
  %12 = fadd double %9, %11
  %13 = add nuw nsw i64 %7, 1
  %14 = icmp eq i64 %13, 10
  br i1 %14, label %4, label %6
}

define double @olympus_log_less_digamma(double %0) nounwind {
  %2 = fcmp olt double %0, 1.000000e+01
  br i1 %2, label %3, label %7

3:
  %4 = tail call double @log(double %0)
  %5 = tail call double @olympus_float_digamma(double %0)
  %6 = fsub double %4, %5
  br label %23

7:
  %8 = fdiv double 1.000000e+00, %0
  %9 = fmul double %8, %8
  br label %14

10:
  %11 = fmul double %8, 5.000000e-01
  %12 = fmul double %9, %20
  %13 = fadd double %11, %12
  br label %23

14:
  %15 = phi i64 [ 1, %7 ], [ %21, %14 ]
  %16 = phi double [ 0xC03A74CA514CA515, %7 ], [ %20, %14 ]
  %17 = fmul double %9, %16
  %18 = getelementptr inbounds nuw double, ptr @__const.olympus_log_less_digamma.c, i64 %15
  %19 = load double, ptr %18, align 8
  %20 = fadd double %17, %19
  %21 = add nuw nsw i64 %15, 1
  %22 = icmp eq i64 %21, 10
  br i1 %22, label %10, label %14

23:
  %24 = phi double [ %6, %3 ], [ %13, %10 ]
  ret double %24
}

declare double @log(double)

declare double @olympus_float_digamma(double)

define double @olympus_lgamma_one_more(double %0) nounwind {
  %2 = fcmp ogt double %0, 5.000000e-01
  br i1 %2, label %3, label %12

3:
  %4 = fadd double %0, 1.000000e+00
  %5 = tail call double @olympus_float_lgamma(double %4)
  br label %21

6:
  %7 = fmul double %0, %18
  %8 = fadd double %7, 0x3FDB0EE6072093CE
  %9 = fmul double %0, %8
  %10 = tail call double @log1p(double %0)
  %11 = fsub double %9, %10
  br label %21

12:
  %13 = phi i64 [ %19, %12 ], [ 1, %1 ]
  %14 = phi double [ %18, %12 ], [ 0xBDD1A7C26EC2523C, %1 ]
  %15 = fmul double %0, %14
  %16 = getelementptr inbounds nuw double, ptr @__const.olympus_lgamma_one_more.c, i64 %13
  %17 = load double, ptr %16, align 8
  %18 = fadd double %15, %17
  %19 = add nuw nsw i64 %13, 1
  %20 = icmp eq i64 %19, 28
  br i1 %20, label %6, label %12

21:
  %22 = phi double [ %5, %3 ], [ %11, %6 ]
  ret double %22
}

declare double @olympus_float_lgamma(double)

define double @olympus_gamma_below_20(double %0) nounwind {
  %2 = fcmp olt double %0, 1.000000e+00
  %3 = fadd double %0, 1.000000e+00
  %4 = select i1 %2, double %3, double %0
  %5 = fcmp ogt double %4, 2.000000e+00
  br i1 %5, label %6, label %12

6:
  %7 = phi double [ %10, %6 ], [ 1.000000e+00, %1 ]
  %8 = phi double [ %9, %6 ], [ %4, %1 ]
  %9 = fadd double %8, -1.000000e+00
  %10 = fmul double %7, %9
  %11 = fcmp ogt double %9, 2.000000e+00
  br i1 %11, label %6, label %12

12:
  %13 = phi double [ %4, %1 ], [ %9, %6 ]
  %14 = phi double [ 1.000000e+00, %1 ], [ %10, %6 ]
  %15 = select i1 %2, double %0, double 1.000000e+00
  %16 = tail call double @olympus_float_lgamma(double %13)
  %17 = tail call double @exp(double %16)
  %18 = fmul double %14, %17
  %19 = fdiv double %18, %15
  ret double %19
}

declare double @exp(double)

define double @olympus_gamma_weight(double %0, double %1) nounwind {
  %3 = fcmp ult double %0, 1.000000e+01
  br i1 %3, label %55, label %4

4:
  %5 = fsub double %1, %0
  %6 = fdiv double %5, %0
  %7 = fcmp ogt double %6, -5.000000e-01
  %8 = fcmp olt double %6, 1.000000e+00
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %29

10:
  %11 = fadd double %6, 2.000000e+00
  %12 = fdiv double %6, %11
  %13 = fmul double %12, %12
  br label %14

14:
  %15 = phi i64 [ 1, %10 ], [ %21, %14 ]
  %16 = phi double [ 0x3F9D41D41D41D41D, %10 ], [ %20, %14 ]
  %17 = fmul double %13, %16
  %18 = getelementptr inbounds nuw double, ptr @__const.olympus_log1p_less_x.c, i64 %15
  %19 = load double, ptr %18, align 8
  %20 = fadd double %17, %19
  %21 = add nuw nsw i64 %15, 1
  %22 = icmp eq i64 %21, 17
  br i1 %22, label %23, label %14

23:
  %24 = fmul double %13, 2.000000e+00
  %25 = fmul double %24, %20
  %26 = fsub double %25, %6
  %27 = fmul double %12, %26
  %28 = fmul double %0, %27
  br label %35

29:
  %30 = fdiv double %1, %0
  %31 = tail call double @log(double %30)
  %32 = fmul double %0, %31
  %33 = fsub double %0, %1
  %34 = fadd double %33, %32
  br label %35

35:
  %36 = phi double [ %28, %23 ], [ %34, %29 ]
  %37 = fdiv double 1.000000e+00, %0
  %38 = fmul double %37, %37
  br label %39

39:
  %40 = phi i64 [ 1, %35 ], [ %46, %39 ]
  %41 = phi double [ 0xBFF6476701181F3A, %35 ], [ %45, %39 ]
  %42 = fmul double %38, %41
  %43 = getelementptr inbounds nuw double, ptr @__const.olympus_stirling_rest.c, i64 %40
  %44 = load double, ptr %43, align 8
  %45 = fadd double %42, %44
  %46 = add nuw nsw i64 %40, 1
  %47 = icmp eq i64 %46, 10
  br i1 %47, label %48, label %39

48:
  %49 = fmul double %0, 0x3FC45F306DC9C883
  %50 = tail call double @llvm.sqrt.f64(double %49)
  %51 = fmul double %37, %45
  %52 = fsub double %36, %51
  %53 = tail call double @exp(double %52)
  %54 = fmul double %50, %53
  br label %101

55:
  %56 = fcmp olt double %1, 7.000000e+02
  %57 = fcmp olt double %0, 1.000000e+00
  %58 = fadd double %0, 1.000000e+00
  %59 = select i1 %57, double %58, double %0
  %60 = fcmp ogt double %59, 2.000000e+00
  br i1 %56, label %61, label %81

61:
  %62 = tail call double @pow(double %1, double %0)
  %63 = fneg double %1
  %64 = tail call double @exp(double %63)
  %65 = fmul double %62, %64
  br i1 %60, label %66, label %72

66:
  %67 = phi double [ %70, %66 ], [ 1.000000e+00, %61 ]
  %68 = phi double [ %69, %66 ], [ %59, %61 ]
  %69 = fadd double %68, -1.000000e+00
  %70 = fmul double %67, %69
  %71 = fcmp ogt double %69, 2.000000e+00
  br i1 %71, label %66, label %72

72:
  %73 = phi double [ %59, %61 ], [ %69, %66 ]
  %74 = phi double [ 1.000000e+00, %61 ], [ %70, %66 ]
  %75 = select i1 %57, double %0, double 1.000000e+00
  %76 = tail call double @olympus_float_lgamma(double %73)
  %77 = tail call double @exp(double %76)
  %78 = fmul double %74, %77
  %79 = fdiv double %78, %75
  %80 = fdiv double %65, %79
  br label %101

81:
  %82 = tail call double @log(double %1)
  %83 = fmul double %0, %82
  %84 = fsub double %83, %1
  %85 = tail call double @exp(double %84)
  br i1 %60, label %86, label %92

86:
  %87 = phi double [ %90, %86 ], [ 1.000000e+00, %81 ]
  %88 = phi double [ %89, %86 ], [ %59, %81 ]
  %89 = fadd double %88, -1.000000e+00
  %90 = fmul double %87, %89
  %91 = fcmp ogt double %89, 2.000000e+00
  br i1 %91, label %86, label %92

92:
  %93 = phi double [ %59, %81 ], [ %89, %86 ]
  %94 = phi double [ 1.000000e+00, %81 ], [ %90, %86 ]
  %95 = select i1 %57, double %0, double 1.000000e+00
  %96 = tail call double @olympus_float_lgamma(double %93)
  %97 = tail call double @exp(double %96)
  %98 = fmul double %94, %97
  %99 = fdiv double %98, %95
  %100 = fdiv double %85, %99
  br label %101

101:
  %102 = phi double [ %54, %48 ], [ %80, %72 ], [ %100, %92 ]
  ret double %102
}

declare double @llvm.sqrt.f64(double)

declare double @pow(double, double)

define double @olympus_node(i32 %0) nounwind {
  %2 = sext i32 %0 to i64
  %3 = getelementptr inbounds double, ptr @__const.olympus_node.c, i64 %2
  %4 = load double, ptr %3, align 8
  ret double %4
}

define double @olympus_node_weight(i32 %0) nounwind {
  %2 = sext i32 %0 to i64
  %3 = getelementptr inbounds double, ptr @__const.olympus_node_weight.c, i64 %2
  %4 = load double, ptr %3, align 8
  ret double %4
}

define double @olympus_gamma_by_integral(double %0, double %1, i1 %2) nounwind {
  %4 = fcmp ugt double %1, %0
  %5 = fadd double %0, -1.000000e+00
  %6 = fsub double %5, %1
  %7 = tail call double @llvm.fabs.f64(double %6)
  %8 = fmul double %1, 1.000000e+02
  %9 = fmul double %6, %6
  %10 = fmul double %0, 1.000000e+02
  %11 = fadd double %10, %9
  %12 = tail call double @llvm.sqrt.f64(double %11)
  %13 = fadd double %7, %12
  %14 = fdiv double %8, %13
  %15 = fmul double %14, 1.300000e+00
  br i1 %4, label %19, label %16

16:
  %17 = fcmp ogt double %14, %1
  br i1 %17, label %18, label %19

18:
  br label %19

19:
  %20 = phi double [ -1.000000e+00, %18 ], [ -1.000000e+00, %16 ], [ 1.000000e+00, %3 ]
  %21 = phi double [ %1, %18 ], [ %14, %16 ], [ %15, %3 ]
  %22 = fcmp olt double %0, 1.000000e+01
  br i1 %22, label %23, label %27

23:
  %24 = tail call double @log(double %0)
  %25 = tail call double @olympus_float_digamma(double %0)
  %26 = fsub double %24, %25
  br label %43

27:
  %28 = fdiv double 1.000000e+00, %0
  %29 = fmul double %28, %28
  br label %34

30:
  %31 = fmul double %28, 5.000000e-01
  %32 = fmul double %29, %40
  %33 = fadd double %31, %32
  br label %43

34:
  %35 = phi i64 [ 1, %27 ], [ %41, %34 ]
  %36 = phi double [ 0xC03A74CA514CA515, %27 ], [ %40, %34 ]
  %37 = fmul double %29, %36
  %38 = getelementptr inbounds nuw double, ptr @__const.olympus_log_less_digamma.c, i64 %35
  %39 = load double, ptr %38, align 8
  %40 = fadd double %37, %39
  %41 = add nuw nsw i64 %35, 1
  %42 = icmp eq i64 %41, 10
  br i1 %42, label %30, label %34

43:
  %44 = phi double [ %26, %23 ], [ %33, %30 ]
  %45 = fmul double %20, %21
  %46 = fsub double %0, %1
  %47 = fsub double %1, %0
  br label %53

48:
  %49 = select i1 %2, double %20, double 1.000000e+00
  %50 = fmul double %49, %110
  %51 = fmul double %21, %50
  %52 = fdiv double %51, %1
  ret double %52

53:
  %54 = phi i64 [ 0, %43 ], [ %111, %108 ]
  %55 = phi double [ 0.000000e+00, %43 ], [ %110, %108 ]
  %56 = getelementptr inbounds nuw double, ptr @__const.olympus_node.c, i64 %54
  %57 = load double, ptr %56, align 8
  %58 = fmul double %45, %57
  %59 = fdiv double %58, %1
  %60 = fmul double %46, %59
  %61 = fsub double %60, %59
  %62 = fcmp ogt double %59, -5.000000e-01
  %63 = fcmp olt double %59, 1.000000e+00
  %64 = and i1 %62, %63
  br i1 %64, label %68, label %65

65:
  %66 = tail call double @log1p(double %59)
  %67 = fsub double %66, %59
  br label %86

68:
  %69 = fadd double %59, 2.000000e+00
  %70 = fdiv double %59, %69
  %71 = fmul double %70, %70
  br label %77

72:
  %73 = fmul double %71, 2.000000e+00
  %74 = fmul double %73, %83
  %75 = fsub double %74, %59
  %76 = fmul double %70, %75
  br label %86

77:
  %78 = phi i64 [ 1, %68 ], [ %84, %77 ]
  %79 = phi double [ 0x3F9D41D41D41D41D, %68 ], [ %83, %77 ]
  %80 = fmul double %71, %79
  %81 = getelementptr inbounds nuw double, ptr @__const.olympus_log1p_less_x.c, i64 %78
  %82 = load double, ptr %81, align 8
  %83 = fadd double %80, %82
  %84 = add nuw nsw i64 %78, 1
  %85 = icmp eq i64 %84, 17
  br i1 %85, label %72, label %77

86:
  %87 = phi double [ %76, %72 ], [ %67, %65 ]
  %88 = fmul double %5, %87
  %89 = fadd double %61, %88
  %90 = tail call double @exp(double %89)
  %91 = getelementptr inbounds nuw double, ptr @__const.olympus_node_weight.c, i64 %54
  %92 = load double, ptr %91, align 8
  %93 = fmul double %90, %92
  br i1 %2, label %94, label %108

94:
  %95 = fadd double %47, %58
  %96 = fdiv double %95, %0
  %97 = fcmp ogt double %96, -5.000000e-01
  br i1 %97, label %98, label %100

98:
  %99 = tail call double @log1p(double %96)
  br label %104

100:
  %101 = fadd double %1, %58
  %102 = fdiv double %101, %0
  %103 = tail call double @log(double %102)
  br label %104

104:
  %105 = phi double [ %99, %98 ], [ %103, %100 ]
  %106 = fadd double %44, %105
  %107 = fmul double %93, %106
  br label %108

108:
  %109 = phi double [ %107, %104 ], [ %93, %86 ]
  %110 = fadd double %55, %109
  %111 = add nuw nsw i64 %54, 1
  %112 = icmp eq i64 %111, 32
  br i1 %112, label %48, label %53
}

declare double @llvm.fabs.f64(double)

define double @olympus_gamma_series(double %0, double %1) nounwind {
  br label %3

3:
  %4 = phi double [ 1.000000e+00, %2 ], [ %9, %3 ]
  %5 = phi double [ 1.000000e+00, %2 ], [ %10, %3 ]
  %6 = phi double [ %0, %2 ], [ %7, %3 ]
  %7 = fadd double %6, 1.000000e+00
  %8 = fdiv double %1, %7
  %9 = fmul double %4, %8
  %10 = fadd double %5, %9
  %11 = fmul double %10, 1.100000e-17
  %12 = fcmp ogt double %9, %11
  br i1 %12, label %3, label %13

13:
  ret double %10
}

define double @olympus_gamma_fraction(double %0, double %1) nounwind {
  %3 = fsub double 1.000000e+00, %0
  %4 = fadd double %1, %3
  %5 = fadd double %4, 1.000000e+00
  %6 = fadd double %1, 1.000000e+00
  %7 = fmul double %1, %5
  %8 = fdiv double %6, %7
  br label %9

9:
  %10 = phi double [ %3, %2 ], [ %20, %43 ]
  %11 = phi double [ %5, %2 ], [ %21, %43 ]
  %12 = phi double [ 0.000000e+00, %2 ], [ %19, %43 ]
  %13 = phi double [ 1.000000e+00, %2 ], [ %47, %43 ]
  %14 = phi double [ %1, %2 ], [ %46, %43 ]
  %15 = phi double [ %6, %2 ], [ %45, %43 ]
  %16 = phi i32 [ 0, %2 ], [ %48, %43 ]
  %17 = phi double [ %8, %2 ], [ %29, %43 ]
  %18 = phi double [ %7, %2 ], [ %44, %43 ]
  %19 = fadd double %12, 1.000000e+00
  %20 = fadd double %10, 1.000000e+00
  %21 = fadd double %11, 2.000000e+00
  %22 = fmul double %19, %20
  %23 = fmul double %15, %21
  %24 = fmul double %13, %22
  %25 = fsub double %23, %24
  %26 = fmul double %18, %21
  %27 = fmul double %14, %22
  %28 = fsub double %26, %27
  %29 = fdiv double %25, %28
  %30 = fsub double %29, %17
  %31 = tail call double @llvm.fabs.f64(double %30)
  %32 = tail call double @llvm.fabs.f64(double %29)
  %33 = fmul double %32, 1.100000e-16
  %34 = fcmp ugt double %31, %33
  br i1 %34, label %35, label %50

35:
  %36 = tail call double @llvm.fabs.f64(double %25)
  %37 = fcmp ogt double %36, 0x4330000000000000
  br i1 %37, label %38, label %43

38:
  %39 = fmul double %15, 0x3CB0000000000000
  %40 = fmul double %25, 0x3CB0000000000000
  %41 = fmul double %18, 0x3CB0000000000000
  %42 = fmul double %28, 0x3CB0000000000000
  br label %43

43:
  %44 = phi double [ %28, %35 ], [ %42, %38 ]
  %45 = phi double [ %25, %35 ], [ %40, %38 ]
  %46 = phi double [ %18, %35 ], [ %41, %38 ]
  %47 = phi double [ %15, %35 ], [ %39, %38 ]
  %48 = add nuw nsw i32 %16, 1
  %49 = icmp eq i32 %48, 5000
  br i1 %49, label %50, label %9

50:
  ret double %29
}

define double @olympus_gamma_slope_above(double %0, double %1) nounwind {
  %3 = tail call double @llvm.sqrt.f64(double %0)
  %4 = fmul double %3, 1.000000e+01
  %5 = fadd double %4, 4.500000e+01
  %6 = fdiv double %5, %1
  %7 = tail call double @log1p(double %6)
  %8 = tail call double @log(double %1)
  %9 = tail call double @olympus_float_digamma(double %0)
  %10 = fsub double %8, %9
  br label %13

11:
  %12 = fmul double %7, %29
  ret double %12

13:
  %14 = phi i64 [ 0, %2 ], [ %30, %13 ]
  %15 = phi double [ 0.000000e+00, %2 ], [ %29, %13 ]
  %16 = getelementptr inbounds nuw double, ptr @__const.olympus_node.c, i64 %14
  %17 = load double, ptr %16, align 8
  %18 = fmul double %7, %17
  %19 = fadd double %10, %18
  %20 = fmul double %0, %18
  %21 = tail call double @expm1(double %18)
  %22 = fmul double %1, %21
  %23 = fsub double %20, %22
  %24 = tail call double @exp(double %23)
  %25 = fmul double %19, %24
  %26 = getelementptr inbounds nuw double, ptr @__const.olympus_node_weight.c, i64 %14
  %27 = load double, ptr %26, align 8
  %28 = fmul double %25, %27
  %29 = fadd double %15, %28
  %30 = add nuw nsw i64 %14, 1
  %31 = icmp eq i64 %30, 32
  br i1 %31, label %11, label %13
}

declare double @expm1(double)

define double @olympus_gamma_upper_series(double %0, double %1) nounwind {
  %3 = fneg double %1
  br label %4

4:
  %5 = phi double [ 1.000000e+00, %2 ], [ %10, %4 ]
  %6 = phi double [ 0.000000e+00, %2 ], [ %13, %4 ]
  %7 = phi i32 [ 1, %2 ], [ %18, %4 ]
  %8 = uitofp nneg i32 %7 to double
  %9 = fdiv double %3, %8
  %10 = fmul double %5, %9
  %11 = fadd double %0, %8
  %12 = fdiv double %10, %11
  %13 = fadd double %6, %12
  %14 = tail call double @llvm.fabs.f64(double %12)
  %15 = tail call double @llvm.fabs.f64(double %13)
  %16 = fmul double %15, 1.100000e-17
  %17 = fcmp ole double %14, %16
  %18 = add nuw nsw i32 %7, 1
  %19 = icmp eq i32 %18, 60
  %20 = select i1 %17, i1 true, i1 %19
  br i1 %20, label %21, label %4

21:
  %22 = tail call double @log(double %1)
  %23 = fcmp ogt double %0, 5.000000e-01
  br i1 %23, label %24, label %33

24:
  %25 = fadd double %0, 1.000000e+00
  %26 = tail call double @olympus_float_lgamma(double %25)
  br label %42

27:
  %28 = fmul double %0, %39
  %29 = fadd double %28, 0x3FDB0EE6072093CE
  %30 = fmul double %0, %29
  %31 = tail call double @log1p(double %0)
  %32 = fsub double %30, %31
  br label %42

33:
  %34 = phi i64 [ %40, %33 ], [ 1, %21 ]
  %35 = phi double [ %39, %33 ], [ 0xBDD1A7C26EC2523C, %21 ]
  %36 = fmul double %0, %35
  %37 = getelementptr inbounds nuw double, ptr @__const.olympus_lgamma_one_more.c, i64 %34
  %38 = load double, ptr %37, align 8
  %39 = fadd double %36, %38
  %40 = add nuw nsw i64 %34, 1
  %41 = icmp eq i64 %40, 28
  br i1 %41, label %27, label %33

42:
  %43 = phi double [ %26, %24 ], [ %32, %27 ]
  %44 = fmul double %0, %22
  %45 = fsub double %44, %43
  %46 = tail call double @expm1(double %45)
  %47 = fneg double %46
  %48 = tail call double @exp(double %45)
  %49 = fmul double %0, %48
  %50 = fmul double %13, %49
  %51 = fsub double %47, %50
  ret double %51
}

define double @olympus_incomplete_gamma(double %0, double %1, i1 %2) nounwind {
  %4 = fcmp oge double %0, 0.000000e+00
  %5 = fcmp oge double %1, 0.000000e+00
  %6 = and i1 %4, %5
  br i1 %6, label %7, label %83

7:
  %8 = fcmp oeq double %0, 0.000000e+00
  br i1 %8, label %9, label %13

9:
  %10 = fcmp ogt double %1, 0.000000e+00
  %11 = select i1 %2, double 0.000000e+00, double 1.000000e+00
  %12 = select i1 %10, double %11, double 0x7FF8000000000000
  br label %83

13:
  %14 = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %14, label %15, label %19

15:
  %16 = fcmp oeq double %1, 0x7FF0000000000000
  %17 = select i1 %2, double 1.000000e+00, double 0.000000e+00
  %18 = select i1 %16, double 0x7FF8000000000000, double %17
  br label %83

19:
  %20 = fcmp oeq double %1, 0.000000e+00
  br i1 %20, label %21, label %23

21:
  %22 = select i1 %2, double 1.000000e+00, double 0.000000e+00
  br label %83

23:
  %24 = fcmp oeq double %1, 0x7FF0000000000000
  br i1 %24, label %30, label %25

25:
  %26 = fcmp ogt double %1, 1.000000e+06
  %27 = fmul double %0, 2.000000e+00
  %28 = fcmp ogt double %1, %27
  %29 = and i1 %26, %28
  br i1 %29, label %30, label %32

30:
  %31 = select i1 %2, double 0.000000e+00, double 1.000000e+00
  br label %83

32:
  %33 = fcmp ogt double %0, 2.000000e+02
  br i1 %33, label %34, label %42

34:
  %35 = tail call double @olympus_gamma_weight(double %0, double %1)
  %36 = tail call double @olympus_gamma_by_integral(double %0, double %1, i1 false)
  %37 = fmul double %35, %36
  %38 = fcmp ugt double %1, %0
  %39 = xor i1 %38, %2
  %40 = fsub double 1.000000e+00, %37
  %41 = select i1 %39, double %40, double %37
  br label %83

42:
  %43 = fcmp ogt double %1, 1.100000e+00
  %44 = fcmp ogt double %1, %0
  %45 = and i1 %43, %44
  br i1 %45, label %46, label %52

46:
  %47 = tail call double @olympus_gamma_weight(double %0, double %1)
  %48 = tail call double @olympus_gamma_fraction(double %0, double %1)
  %49 = fmul double %47, %48
  %50 = fsub double 1.000000e+00, %49
  %51 = select i1 %2, double %49, double %50
  br label %83

52:
  br i1 %2, label %53, label %66

53:
  %54 = fcmp ugt double %1, 5.000000e-01
  br i1 %54, label %59, label %55

55:
  %56 = tail call double @log(double %1)
  %57 = fdiv double -4.000000e-01, %56
  %58 = fcmp ult double %57, %0
  br i1 %58, label %66, label %64

59:
  %60 = fcmp ugt double %1, 1.100000e+00
  %61 = fmul double %1, 1.100000e+00
  %62 = fcmp ult double %61, %0
  %63 = or i1 %60, %62
  br i1 %63, label %66, label %64

64:
  %65 = tail call double @olympus_gamma_upper_series(double %0, double %1)
  br label %83

66:
  %67 = tail call double @olympus_gamma_weight(double %0, double %1)
  br label %68

68:
  %69 = phi double [ 1.000000e+00, %66 ], [ %74, %68 ]
  %70 = phi double [ 1.000000e+00, %66 ], [ %75, %68 ]
  %71 = phi double [ %0, %66 ], [ %72, %68 ]
  %72 = fadd double %71, 1.000000e+00
  %73 = fdiv double %1, %72
  %74 = fmul double %69, %73
  %75 = fadd double %70, %74
  %76 = fmul double %75, 1.100000e-17
  %77 = fcmp ogt double %74, %76
  br i1 %77, label %68, label %78

78:
  %79 = fdiv double %67, %0
  %80 = fmul double %79, %75
  %81 = fsub double 1.000000e+00, %80
  %82 = select i1 %2, double %81, double %80
  br label %83

83:
  %84 = phi double [ %12, %9 ], [ %18, %15 ], [ %22, %21 ], [ %31, %30 ], [ %41, %34 ], [ %51, %46 ], [ %65, %64 ], [ %82, %78 ], [ 0x7FF8000000000000, %3 ]
  ret double %84
}

define double @olympus_igamma(double %0, double %1) nounwind {
  %3 = tail call double @olympus_incomplete_gamma(double %0, double %1, i1 false)
  ret double %3
}

define double @olympus_igammac(double %0, double %1) nounwind {
  %3 = tail call double @olympus_incomplete_gamma(double %0, double %1, i1 true)
  ret double %3
}

define double @olympus_gamma_slope(double %0, double %1) nounwind {
  %3 = fcmp ogt double %0, 5.000000e+01
  br i1 %3, label %4, label %6

4:
  %5 = tail call double @olympus_gamma_by_integral(double %0, double %1, i1 true)
  br label %40

6:
  %7 = fcmp ogt double %1, %0
  %8 = fcmp ogt double %1, 1.000000e+00
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %12

10:
  %11 = tail call double @olympus_gamma_slope_above(double %0, double %1)
  br label %40

12:
  %13 = phi double [ %23, %12 ], [ 1.000000e+00, %6 ]
  %14 = phi double [ %22, %12 ], [ 0.000000e+00, %6 ]
  %15 = phi double [ %24, %12 ], [ 1.000000e+00, %6 ]
  %16 = phi double [ %25, %12 ], [ 0.000000e+00, %6 ]
  %17 = phi double [ %18, %12 ], [ %0, %6 ]
  %18 = fadd double %17, 1.000000e+00
  %19 = fdiv double %1, %18
  %20 = fdiv double %13, %18
  %21 = fsub double %14, %20
  %22 = fmul double %19, %21
  %23 = fmul double %13, %19
  %24 = fadd double %15, %23
  %25 = fadd double %16, %22
  %26 = fmul double %24, 1.100000e-17
  %27 = fcmp ogt double %23, %26
  %28 = fmul double %25, 1.100000e-17
  %29 = fcmp olt double %22, %28
  %30 = select i1 %27, i1 true, i1 %29
  br i1 %30, label %12, label %31

31:
  %32 = tail call double @log(double %1)
  %33 = fadd double %0, 1.000000e+00
  %34 = tail call double @olympus_float_digamma(double %33)
  %35 = fsub double %32, %34
  %36 = fmul double %24, %35
  %37 = fadd double %25, %36
  %38 = fneg double %37
  %39 = fdiv double %38, %0
  br label %40

40:
  %41 = phi double [ %5, %4 ], [ %11, %10 ], [ %39, %31 ]
  ret double %41
}

define double @olympus_random_gamma_grad(double %0, double %1) nounwind {
  %3 = fcmp ogt double %0, 0.000000e+00
  %4 = fcmp oge double %1, 0.000000e+00
  %5 = and i1 %3, %4
  br i1 %5, label %6, label %15

6:
  %7 = fcmp oeq double %1, 0.000000e+00
  br i1 %7, label %15, label %8

8:
  %9 = fcmp oeq double %0, 0x7FF0000000000000
  %10 = fcmp oeq double %1, 0x7FF0000000000000
  %11 = or i1 %9, %10
  br i1 %11, label %15, label %12

12:
  %13 = tail call double @olympus_gamma_slope(double %0, double %1)
  %14 = fmul double %1, %13
  br label %15

15:
  %16 = phi double [ 0x7FF8000000000000, %2 ], [ 0.000000e+00, %6 ], [ %14, %12 ], [ 0x7FF8000000000000, %8 ]
  ret double %16
}

define double @olympus_igamma_grad_a(double %0, double %1) nounwind {
  %3 = fcmp ogt double %0, 0.000000e+00
  %4 = fcmp oge double %1, 0.000000e+00
  %5 = and i1 %3, %4
  br i1 %5, label %6, label %21

6:
  %7 = fcmp oeq double %1, 0.000000e+00
  br i1 %7, label %21, label %8

8:
  %9 = fcmp oeq double %1, 0x7FF0000000000000
  %10 = fcmp one double %0, 0x7FF0000000000000
  %11 = and i1 %10, %9
  br i1 %11, label %21, label %12

12:
  %13 = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %13, label %21, label %14

14:
  %15 = tail call double @olympus_gamma_weight(double %0, double %1)
  %16 = fcmp oeq double %15, 0.000000e+00
  br i1 %16, label %21, label %17

17:
  %18 = fneg double %15
  %19 = tail call double @olympus_gamma_slope(double %0, double %1)
  %20 = fmul double %19, %18
  br label %21

21:
  %22 = phi double [ 0x7FF8000000000000, %2 ], [ 0.000000e+00, %6 ], [ 0x7FF8000000000000, %12 ], [ 0.000000e+00, %8 ], [ %20, %17 ], [ 0.000000e+00, %14 ]
  ret double %22
}

define double @olympus_beta_weight(double %0, double %1, double %2, double %3) nounwind {
  %5 = fcmp oge double %0, 1.000000e+01
  %6 = fcmp oge double %1, 1.000000e+01
  %7 = and i1 %5, %6
  br i1 %7, label %8, label %125

8:
  %9 = fmul double %1, %2
  %10 = fmul double %0, %3
  %11 = fsub double %9, %10
  %12 = fadd double %0, %1
  %13 = fdiv double %11, %0
  %14 = fneg double %11
  %15 = fdiv double %14, %1
  %16 = fcmp ogt double %13, -5.000000e-01
  %17 = fcmp olt double %13, 1.000000e+00
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %38

19:
  %20 = fadd double %13, 2.000000e+00
  %21 = fdiv double %13, %20
  %22 = fmul double %21, %21
  br label %23

23:
  %24 = phi i64 [ 1, %19 ], [ %30, %23 ]
  %25 = phi double [ 0x3F9D41D41D41D41D, %19 ], [ %29, %23 ]
  %26 = fmul double %22, %25
  %27 = getelementptr inbounds nuw double, ptr @__const.olympus_log1p_less_x.c, i64 %24
  %28 = load double, ptr %27, align 8
  %29 = fadd double %26, %28
  %30 = add nuw nsw i64 %24, 1
  %31 = icmp eq i64 %30, 17
  br i1 %31, label %32, label %23

32:
  %33 = fmul double %22, 2.000000e+00
  %34 = fmul double %33, %29
  %35 = fsub double %34, %13
  %36 = fmul double %21, %35
  %37 = fmul double %0, %36
  br label %44

38:
  %39 = fdiv double %12, %0
  %40 = fmul double %2, %39
  %41 = tail call double @log(double %40)
  %42 = fmul double %0, %41
  %43 = fsub double %42, %11
  br label %44

44:
  %45 = phi double [ %37, %32 ], [ %43, %38 ]
  %46 = fcmp ogt double %15, -5.000000e-01
  %47 = fcmp olt double %15, 1.000000e+00
  %48 = and i1 %46, %47
  br i1 %48, label %49, label %68

49:
  %50 = fadd double %15, 2.000000e+00
  %51 = fdiv double %15, %50
  %52 = fmul double %51, %51
  br label %53

53:
  %54 = phi i64 [ 1, %49 ], [ %60, %53 ]
  %55 = phi double [ 0x3F9D41D41D41D41D, %49 ], [ %59, %53 ]
  %56 = fmul double %52, %55
  %57 = getelementptr inbounds nuw double, ptr @__const.olympus_log1p_less_x.c, i64 %54
  %58 = load double, ptr %57, align 8
  %59 = fadd double %56, %58
  %60 = add nuw nsw i64 %54, 1
  %61 = icmp eq i64 %60, 17
  br i1 %61, label %62, label %53

62:
  %63 = fmul double %52, 2.000000e+00
  %64 = fmul double %63, %59
  %65 = fsub double %64, %15
  %66 = fmul double %51, %65
  %67 = fmul double %1, %66
  br label %74

68:
  %69 = fdiv double %12, %1
  %70 = fmul double %3, %69
  %71 = tail call double @log(double %70)
  %72 = fmul double %1, %71
  %73 = fadd double %11, %72
  br label %74

74:
  %75 = phi double [ %67, %62 ], [ %73, %68 ]
  %76 = fdiv double 1.000000e+00, %0
  %77 = fmul double %76, %76
  br label %78

78:
  %79 = phi i64 [ 1, %74 ], [ %85, %78 ]
  %80 = phi double [ 0xBFF6476701181F3A, %74 ], [ %84, %78 ]
  %81 = fmul double %77, %80
  %82 = getelementptr inbounds nuw double, ptr @__const.olympus_stirling_rest.c, i64 %79
  %83 = load double, ptr %82, align 8
  %84 = fadd double %81, %83
  %85 = add nuw nsw i64 %79, 1
  %86 = icmp eq i64 %85, 10
  br i1 %86, label %87, label %78

87:
  %88 = fdiv double 1.000000e+00, %1
  %89 = fmul double %88, %88
  br label %90

90:
  %91 = phi i64 [ 1, %87 ], [ %97, %90 ]
  %92 = phi double [ 0xBFF6476701181F3A, %87 ], [ %96, %90 ]
  %93 = fmul double %89, %92
  %94 = getelementptr inbounds nuw double, ptr @__const.olympus_stirling_rest.c, i64 %91
  %95 = load double, ptr %94, align 8
  %96 = fadd double %93, %95
  %97 = add nuw nsw i64 %91, 1
  %98 = icmp eq i64 %97, 10
  br i1 %98, label %99, label %90

99:
  %100 = fdiv double 1.000000e+00, %12
  %101 = fmul double %100, %100
  br label %102

102:
  %103 = phi i64 [ 1, %99 ], [ %109, %102 ]
  %104 = phi double [ 0xBFF6476701181F3A, %99 ], [ %108, %102 ]
  %105 = fmul double %101, %104
  %106 = getelementptr inbounds nuw double, ptr @__const.olympus_stirling_rest.c, i64 %103
  %107 = load double, ptr %106, align 8
  %108 = fadd double %105, %107
  %109 = add nuw nsw i64 %103, 1
  %110 = icmp eq i64 %109, 10
  br i1 %110, label %111, label %102

111:
  %112 = fadd double %45, %75
  %113 = fmul double %76, %84
  %114 = fmul double %88, %96
  %115 = fadd double %113, %114
  %116 = fmul double %100, %108
  %117 = fsub double %115, %116
  %118 = fdiv double %0, %12
  %119 = fmul double %1, %118
  %120 = fmul double %119, 0x3FC45F306DC9C883
  %121 = tail call double @llvm.sqrt.f64(double %120)
  %122 = fsub double %112, %117
  %123 = tail call double @exp(double %122)
  %124 = fmul double %121, %123
  br label %290

125:
  %126 = fcmp olt double %0, 1.000000e+01
  %127 = fcmp olt double %1, 1.000000e+01
  %128 = and i1 %126, %127
  br i1 %128, label %129, label %215

129:
  %130 = fcmp ogt double %2, 5.000000e-01
  br i1 %130, label %131, label %136

131:
  %132 = fneg double %3
  %133 = tail call double @log1p(double %132)
  %134 = fmul double %0, %133
  %135 = tail call double @exp(double %134)
  br label %138

136:
  %137 = tail call double @pow(double %2, double %0)
  br label %138

138:
  %139 = phi double [ %135, %131 ], [ %137, %136 ]
  %140 = fcmp ogt double %3, 5.000000e-01
  br i1 %140, label %141, label %146

141:
  %142 = fneg double %2
  %143 = tail call double @log1p(double %142)
  %144 = fmul double %1, %143
  %145 = tail call double @exp(double %144)
  br label %148

146:
  %147 = tail call double @pow(double %3, double %1)
  br label %148

148:
  %149 = phi double [ %145, %141 ], [ %147, %146 ]
  %150 = fadd double %0, 1.000000e+00
  %151 = fadd double %150, %1
  %152 = fcmp olt double %151, 1.000000e+00
  %153 = fadd double %151, 1.000000e+00
  %154 = select i1 %152, double %153, double %151
  %155 = fcmp ogt double %154, 2.000000e+00
  br i1 %155, label %156, label %162

156:
  %157 = phi double [ %160, %156 ], [ 1.000000e+00, %148 ]
  %158 = phi double [ %159, %156 ], [ %154, %148 ]
  %159 = fadd double %158, -1.000000e+00
  %160 = fmul double %157, %159
  %161 = fcmp ogt double %159, 2.000000e+00
  br i1 %161, label %156, label %162

162:
  %163 = phi double [ %154, %148 ], [ %159, %156 ]
  %164 = phi double [ 1.000000e+00, %148 ], [ %160, %156 ]
  %165 = select i1 %152, double %151, double 1.000000e+00
  %166 = tail call double @olympus_float_lgamma(double %163)
  %167 = tail call double @exp(double %166)
  %168 = fmul double %164, %167
  %169 = fdiv double %168, %165
  %170 = fadd double %0, %1
  %171 = fdiv double %169, %170
  %172 = fcmp olt double %150, 1.000000e+00
  %173 = fadd double %150, 1.000000e+00
  %174 = select i1 %172, double %173, double %150
  %175 = fcmp ogt double %174, 2.000000e+00
  br i1 %175, label %176, label %182

176:
  %177 = phi double [ %180, %176 ], [ 1.000000e+00, %162 ]
  %178 = phi double [ %179, %176 ], [ %174, %162 ]
  %179 = fadd double %178, -1.000000e+00
  %180 = fmul double %177, %179
  %181 = fcmp ogt double %179, 2.000000e+00
  br i1 %181, label %176, label %182

182:
  %183 = phi double [ %174, %162 ], [ %179, %176 ]
  %184 = phi double [ 1.000000e+00, %162 ], [ %180, %176 ]
  %185 = select i1 %172, double %150, double 1.000000e+00
  %186 = tail call double @olympus_float_lgamma(double %183)
  %187 = tail call double @exp(double %186)
  %188 = fmul double %184, %187
  %189 = fdiv double %188, %185
  %190 = fdiv double %171, %189
  %191 = fmul double %139, %149
  %192 = fmul double %0, %190
  %193 = fmul double %1, %192
  %194 = fadd double %1, 1.000000e+00
  %195 = fcmp olt double %194, 1.000000e+00
  %196 = fadd double %194, 1.000000e+00
  %197 = select i1 %195, double %196, double %194
  %198 = fcmp ogt double %197, 2.000000e+00
  br i1 %198, label %199, label %205

199:
  %200 = phi double [ %203, %199 ], [ 1.000000e+00, %182 ]
  %201 = phi double [ %202, %199 ], [ %197, %182 ]
  %202 = fadd double %201, -1.000000e+00
  %203 = fmul double %200, %202
  %204 = fcmp ogt double %202, 2.000000e+00
  br i1 %204, label %199, label %205

205:
  %206 = phi double [ %197, %182 ], [ %202, %199 ]
  %207 = phi double [ 1.000000e+00, %182 ], [ %203, %199 ]
  %208 = select i1 %195, double %194, double 1.000000e+00
  %209 = tail call double @olympus_float_lgamma(double %206)
  %210 = tail call double @exp(double %209)
  %211 = fmul double %207, %210
  %212 = fdiv double %211, %208
  %213 = fdiv double %193, %212
  %214 = fmul double %191, %213
  br label %290

215:
  %216 = fcmp olt double %0, %1
  %217 = select i1 %216, double %0, double %1
  %218 = select i1 %216, double %1, double %0
  %219 = select i1 %216, double %2, double %3
  %220 = fadd double %0, %1
  %221 = fcmp olt double %219, 5.000000e-01
  br i1 %221, label %222, label %225

222:
  %223 = fneg double %219
  %224 = tail call double @log1p(double %223)
  br label %228

225:
  %226 = select i1 %216, double %3, double %2
  %227 = tail call double @log(double %226)
  br label %228

228:
  %229 = phi double [ %224, %222 ], [ %227, %225 ]
  %230 = fdiv double %217, %218
  %231 = tail call double @log1p(double %230)
  %232 = fdiv double 1.000000e+00, %220
  %233 = fmul double %232, %232
  br label %234

234:
  %235 = phi i64 [ 1, %228 ], [ %241, %234 ]
  %236 = phi double [ 0xBFF6476701181F3A, %228 ], [ %240, %234 ]
  %237 = fmul double %233, %236
  %238 = getelementptr inbounds nuw double, ptr @__const.olympus_stirling_rest.c, i64 %235
  %239 = load double, ptr %238, align 8
  %240 = fadd double %237, %239
  %241 = add nuw nsw i64 %235, 1
  %242 = icmp eq i64 %241, 10
  br i1 %242, label %243, label %234

243:
  %244 = fdiv double 1.000000e+00, %218
  %245 = fmul double %244, %244
  br label %246

246:
  %247 = phi i64 [ 1, %243 ], [ %253, %246 ]
  %248 = phi double [ 0xBFF6476701181F3A, %243 ], [ %252, %246 ]
  %249 = fmul double %245, %248
  %250 = getelementptr inbounds nuw double, ptr @__const.olympus_stirling_rest.c, i64 %247
  %251 = load double, ptr %250, align 8
  %252 = fadd double %249, %251
  %253 = add nuw nsw i64 %247, 1
  %254 = icmp eq i64 %253, 10
  br i1 %254, label %255, label %246

255:
  %256 = fmul double %218, %229
  %257 = fsub double %256, %217
  %258 = fadd double %218, -5.000000e-01
  %259 = fmul double %258, %231
  %260 = fadd double %257, %259
  %261 = fmul double %232, %240
  %262 = fadd double %260, %261
  %263 = fmul double %244, %252
  %264 = fsub double %262, %263
  %265 = fmul double %220, %219
  %266 = tail call double @pow(double %265, double %217)
  %267 = tail call double @exp(double %264)
  %268 = fmul double %266, %267
  %269 = fmul double %217, %268
  %270 = fadd double %217, 1.000000e+00
  %271 = fcmp olt double %270, 1.000000e+00
  %272 = fadd double %270, 1.000000e+00
  %273 = select i1 %271, double %272, double %270
  %274 = fcmp ogt double %273, 2.000000e+00
  br i1 %274, label %275, label %281

275:
  %276 = phi double [ %279, %275 ], [ 1.000000e+00, %255 ]
  %277 = phi double [ %278, %275 ], [ %273, %255 ]
  %278 = fadd double %277, -1.000000e+00
  %279 = fmul double %276, %278
  %280 = fcmp ogt double %278, 2.000000e+00
  br i1 %280, label %275, label %281

281:
  %282 = phi double [ %273, %255 ], [ %278, %275 ]
  %283 = phi double [ 1.000000e+00, %255 ], [ %279, %275 ]
  %284 = select i1 %271, double %270, double 1.000000e+00
  %285 = tail call double @olympus_float_lgamma(double %282)
  %286 = tail call double @exp(double %285)
  %287 = fmul double %283, %286
  %288 = fdiv double %287, %284
  %289 = fdiv double %269, %288
  br label %290

290:
  %291 = phi double [ %124, %111 ], [ %214, %205 ], [ %289, %281 ]
  ret double %291
}

define double @olympus_beta_fraction(double %0, double %1, double %2, double %3) nounwind {
  %5 = fcmp ogt double %0, %1
  %6 = fadd double %0, %1
  %7 = fmul double %6, %3
  %8 = fsub double %7, %1
  %9 = fmul double %6, %2
  %10 = fsub double %0, %9
  %11 = select i1 %5, double %8, double %10
  %12 = fadd double %11, 1.000000e+00
  %13 = fdiv double %1, %0
  %14 = fdiv double 1.000000e+00, %0
  %15 = fadd double %14, 1.000000e+00
  %16 = fadd double %0, 1.000000e+00
  %17 = fdiv double %12, %15
  %18 = fdiv double %15, %12
  %19 = fadd double %3, 1.000000e+00
  br label %20

20:
  %21 = phi double [ 1.000000e+00, %4 ], [ %41, %62 ]
  %22 = phi double [ %16, %4 ], [ %63, %62 ]
  %23 = phi double [ 0.000000e+00, %4 ], [ %64, %62 ]
  %24 = phi double [ 1.000000e+00, %4 ], [ %65, %62 ]
  %25 = phi double [ 1.000000e+00, %4 ], [ %57, %62 ]
  %26 = phi double [ %17, %4 ], [ 1.000000e+00, %62 ]
  %27 = phi double [ %18, %4 ], [ %57, %62 ]
  %28 = phi i32 [ 1, %4 ], [ %66, %62 ]
  %29 = uitofp nneg i32 %28 to double
  %30 = fdiv double %29, %0
  %31 = fsub double %1, %29
  %32 = fmul double %31, %29
  %33 = fmul double %2, %32
  %34 = fdiv double %0, %22
  %35 = fadd double %13, %21
  %36 = fmul double %21, %35
  %37 = fmul double %34, %36
  %38 = fmul double %34, %37
  %39 = fmul double %2, %33
  %40 = fmul double %39, %38
  %41 = fadd double %30, 1.000000e+00
  %42 = fadd double %15, %30
  %43 = fadd double %30, %42
  %44 = fdiv double %41, %43
  %45 = fdiv double %33, %22
  %46 = fadd double %45, %29
  %47 = fmul double %19, %29
  %48 = fadd double %12, %47
  %49 = fmul double %48, %44
  %50 = fadd double %49, %46
  %51 = fmul double %23, %40
  %52 = fmul double %25, %50
  %53 = fadd double %52, %51
  %54 = fmul double %24, %40
  %55 = fmul double %26, %50
  %56 = fadd double %55, %54
  %57 = fdiv double %53, %56
  %58 = fsub double %57, %27
  %59 = tail call double @llvm.fabs.f64(double %58)
  %60 = fmul double %57, 2.300000e-16
  %61 = fcmp ugt double %59, %60
  br i1 %61, label %62, label %68

62:
  %63 = fadd double %22, 2.000000e+00
  %64 = fdiv double %25, %56
  %65 = fdiv double %26, %56
  %66 = add nuw nsw i32 %28, 1
  %67 = icmp eq i32 %66, 1000000
  br i1 %67, label %68, label %20

68:
  ret double %57
}

define double @olympus_beta_by_integral(double %0, double %1, double %2, double %3) nounwind {
  %5 = fadd double %0, -1.000000e+00
  %6 = fdiv double %5, %2
  %7 = fadd double %1, -1.000000e+00
  %8 = fdiv double %7, %3
  %9 = fsub double %6, %8
  %10 = fmul double %2, %2
  %11 = fdiv double %5, %10
  %12 = fmul double %3, %3
  %13 = fdiv double %7, %12
  %14 = fadd double %11, %13
  %15 = fmul double %9, %9
  %16 = fmul double %14, 1.000000e+02
  %17 = fadd double %15, %16
  %18 = tail call double @llvm.sqrt.f64(double %17)
  %19 = fcmp ogt double %9, 0.000000e+00
  %20 = fadd double %9, %18
  %21 = fdiv double 1.000000e+02, %20
  %22 = fsub double %18, %9
  %23 = fdiv double %22, %14
  %24 = select i1 %19, double %21, double %23
  %25 = fcmp ogt double %24, %2
  %26 = select i1 %25, double %2, double %24
  br label %31

27:
  %28 = fmul double %26, %101
  %29 = fmul double %2, %3
  %30 = fdiv double %28, %29
  ret double %30

31:
  %32 = phi i64 [ 0, %4 ], [ %102, %93 ]
  %33 = phi double [ 0.000000e+00, %4 ], [ %101, %93 ]
  %34 = getelementptr inbounds nuw double, ptr @__const.olympus_node.c, i64 %32
  %35 = load double, ptr %34, align 8
  %36 = fmul double %26, %35
  %37 = fneg double %36
  %38 = fdiv double %37, %2
  %39 = fdiv double %36, %3
  %40 = fcmp ogt double %38, -5.000000e-01
  %41 = fcmp olt double %38, 1.000000e+00
  %42 = and i1 %40, %41
  br i1 %42, label %46, label %43

43:
  %44 = tail call double @log1p(double %38)
  %45 = fsub double %44, %38
  br label %64

46:
  %47 = fadd double %38, 2.000000e+00
  %48 = fdiv double %38, %47
  %49 = fmul double %48, %48
  br label %55

50:
  %51 = fmul double %49, 2.000000e+00
  %52 = fmul double %51, %61
  %53 = fsub double %52, %38
  %54 = fmul double %48, %53
  br label %64

55:
  %56 = phi i64 [ 1, %46 ], [ %62, %55 ]
  %57 = phi double [ 0x3F9D41D41D41D41D, %46 ], [ %61, %55 ]
  %58 = fmul double %49, %57
  %59 = getelementptr inbounds nuw double, ptr @__const.olympus_log1p_less_x.c, i64 %56
  %60 = load double, ptr %59, align 8
  %61 = fadd double %58, %60
  %62 = add nuw nsw i64 %56, 1
  %63 = icmp eq i64 %62, 17
  br i1 %63, label %50, label %55

64:
  %65 = phi double [ %54, %50 ], [ %45, %43 ]
  %66 = fmul double %5, %65
  %67 = fmul double %9, %36
  %68 = fsub double %66, %67
  %69 = fcmp ogt double %39, -5.000000e-01
  %70 = fcmp olt double %39, 1.000000e+00
  %71 = and i1 %69, %70
  br i1 %71, label %75, label %72

72:
  %73 = tail call double @log1p(double %39)
  %74 = fsub double %73, %39
  br label %93

75:
  %76 = fadd double %39, 2.000000e+00
  %77 = fdiv double %39, %76
  %78 = fmul double %77, %77
  br label %84

79:
  %80 = fmul double %78, 2.000000e+00
  %81 = fmul double %80, %90
  %82 = fsub double %81, %39
  %83 = fmul double %77, %82
  br label %93

84:
  %85 = phi i64 [ 1, %75 ], [ %91, %84 ]
  %86 = phi double [ 0x3F9D41D41D41D41D, %75 ], [ %90, %84 ]
  %87 = fmul double %78, %86
  %88 = getelementptr inbounds nuw double, ptr @__const.olympus_log1p_less_x.c, i64 %85
  %89 = load double, ptr %88, align 8
  %90 = fadd double %87, %89
  %91 = add nuw nsw i64 %85, 1
  %92 = icmp eq i64 %91, 17
  br i1 %92, label %79, label %84

93:
  %94 = phi double [ %83, %79 ], [ %74, %72 ]
  %95 = fmul double %7, %94
  %96 = fadd double %68, %95
  %97 = tail call double @exp(double %96)
  %98 = getelementptr inbounds nuw double, ptr @__const.olympus_node_weight.c, i64 %32
  %99 = load double, ptr %98, align 8
  %100 = fmul double %97, %99
  %101 = fadd double %33, %100
  %102 = add nuw nsw i64 %32, 1
  %103 = icmp eq i64 %102, 32
  br i1 %103, label %27, label %31
}

define double @olympus_beta_upper_series(double %0, double %1, double %2) nounwind {
  %4 = alloca [5 x double], align 16
  %5 = alloca [5 x double], align 16
  store double 5.000000e-01, ptr %4, align 16
  %6 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store double 0x3FCD89B804CC91F6, ptr %6, align 8
  %7 = getelementptr inbounds nuw i8, ptr %4, i64 16
  store double 0x3FE89D91FECCDB82, ptr %7, align 16
  %8 = getelementptr inbounds nuw i8, ptr %4, i64 24
  store double 0x3FA80498FD662CB6, ptr %8, align 8
  %9 = getelementptr inbounds nuw i8, ptr %4, i64 32
  store double 0x3FEE7FB670299D35, ptr %9, align 16
  store double 0x3FD23456789ABCDF, ptr %5, align 16
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 8
  store double 0x3FCEA1DA25AE415B, ptr %10, align 8
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 16
  store double 0x3FCEA1DA25AE415B, ptr %11, align 16
  %12 = getelementptr inbounds nuw i8, ptr %5, i64 24
  store double 0x3FBE539EC36E038C, ptr %12, align 8
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 32
  store double 0x3FBE539EC36E038C, ptr %13, align 16
  br label %14

14:
  %15 = phi double [ 1.000000e+00, %3 ], [ %22, %14 ]
  %16 = phi double [ 0.000000e+00, %3 ], [ %25, %14 ]
  %17 = phi i32 [ 1, %3 ], [ %30, %14 ]
  %18 = uitofp nneg i32 %17 to double
  %19 = fsub double %18, %1
  %20 = fdiv double %2, %18
  %21 = fmul double %19, %20
  %22 = fmul double %15, %21
  %23 = fadd double %0, %18
  %24 = fdiv double %22, %23
  %25 = fadd double %16, %24
  %26 = tail call double @llvm.fabs.f64(double %24)
  %27 = tail call double @llvm.fabs.f64(double %25)
  %28 = fmul double %27, 1.100000e-17
  %29 = fcmp ole double %26, %28
  %30 = add nuw nsw i32 %17, 1
  %31 = icmp eq i32 %30, 200
  %32 = select i1 %29, i1 true, i1 %31
  br i1 %32, label %33, label %14

33:
  %34 = fcmp olt double %1, 1.000000e+00
  %35 = fadd double %1, 1.000000e+00
  %36 = select i1 %34, double %35, double %1
  br label %63

37:
  %38 = tail call double @log(double %2)
  %39 = fadd double %74, %38
  %40 = fmul double %0, %39
  %41 = fcmp ogt double %0, 5.000000e-01
  br i1 %41, label %42, label %51

42:
  %43 = fadd double %0, 1.000000e+00
  %44 = tail call double @olympus_float_lgamma(double %43)
  br label %60

45:
  %46 = fmul double %0, %57
  %47 = fadd double %46, 0x3FDB0EE6072093CE
  %48 = fmul double %0, %47
  %49 = tail call double @log1p(double %0)
  %50 = fsub double %48, %49
  br label %60

51:
  %52 = phi i64 [ %58, %51 ], [ 1, %37 ]
  %53 = phi double [ %57, %51 ], [ 0xBDD1A7C26EC2523C, %37 ]
  %54 = fmul double %0, %53
  %55 = getelementptr inbounds nuw double, ptr @__const.olympus_lgamma_one_more.c, i64 %52
  %56 = load double, ptr %55, align 8
  %57 = fadd double %54, %56
  %58 = add nuw nsw i64 %52, 1
  %59 = icmp eq i64 %58, 28
  br i1 %59, label %45, label %51

60:
  %61 = phi double [ %44, %42 ], [ %50, %45 ]
  %62 = fsub double %40, %61
  br i1 %34, label %77, label %81

63:
  %64 = phi i64 [ 0, %33 ], [ %75, %63 ]
  %65 = phi double [ 0.000000e+00, %33 ], [ %74, %63 ]
  %66 = getelementptr inbounds nuw double, ptr %5, i64 %64
  %67 = load double, ptr %66, align 8
  %68 = getelementptr inbounds nuw double, ptr %4, i64 %64
  %69 = load double, ptr %68, align 8
  %70 = fmul double %0, %69
  %71 = fadd double %36, %70
  %72 = tail call double @olympus_float_digamma(double %71)
  %73 = fmul double %67, %72
  %74 = fadd double %65, %73
  %75 = add nuw nsw i64 %64, 1
  %76 = icmp eq i64 %75, 5
  br i1 %76, label %37, label %63

77:
  %78 = fdiv double %0, %1
  %79 = tail call double @log1p(double %78)
  %80 = fsub double %62, %79
  br label %81

81:
  %82 = phi double [ %80, %77 ], [ %62, %60 ]
  %83 = tail call double @expm1(double %82)
  %84 = fneg double %83
  %85 = tail call double @exp(double %82)
  %86 = fmul double %0, %85
  %87 = fmul double %25, %86
  %88 = fsub double %84, %87
  ret double %88
}

define double @olympus_betainc(double %0, double %1, double %2) nounwind {
  %4 = fcmp oge double %0, 0.000000e+00
  %5 = fcmp oge double %1, 0.000000e+00
  %6 = and i1 %4, %5
  %7 = fcmp oge double %2, 0.000000e+00
  %8 = and i1 %6, %7
  %9 = fcmp ole double %2, 1.000000e+00
  %10 = and i1 %9, %8
  br i1 %10, label %11, label %108

11:
  %12 = fcmp oeq double %0, 0.000000e+00
  %13 = fcmp oeq double %1, 0x7FF0000000000000
  %14 = or i1 %12, %13
  %15 = fcmp oeq double %1, 0.000000e+00
  %16 = fcmp oeq double %0, 0x7FF0000000000000
  %17 = or i1 %16, %15
  %18 = and i1 %14, %17
  br i1 %18, label %108, label %19

19:
  br i1 %14, label %20, label %23

20:
  %21 = fcmp ogt double %2, 0.000000e+00
  %22 = select i1 %21, double 1.000000e+00, double 0.000000e+00
  br label %108

23:
  br i1 %17, label %24, label %27

24:
  %25 = fcmp olt double %2, 1.000000e+00
  %26 = select i1 %25, double 0.000000e+00, double 1.000000e+00
  br label %108

27:
  %28 = fcmp oeq double %2, 0.000000e+00
  %29 = fcmp oeq double %2, 1.000000e+00
  %30 = or i1 %28, %29
  br i1 %30, label %31, label %33

31:
  %32 = tail call double @llvm.fabs.f64(double %2)
  br label %108

33:
  %34 = fcmp olt double %0, 1.000000e-290
  %35 = fcmp olt double %1, 1.000000e-290
  %36 = or i1 %34, %35
  br i1 %36, label %37, label %40

37:
  %38 = fadd double %0, %1
  %39 = fdiv double %1, %38
  br label %108

40:
  %41 = fsub double 1.000000e+00, %2
  %42 = fadd double %0, 1.000000e+00
  %43 = fadd double %0, %1
  %44 = fadd double %43, 2.000000e+00
  %45 = fdiv double %42, %44
  %46 = fcmp ogt double %2, %45
  br i1 %46, label %47, label %48

47:
  br label %48

48:
  %49 = phi double [ %2, %47 ], [ %41, %40 ]
  %50 = phi double [ %41, %47 ], [ %2, %40 ]
  %51 = phi double [ %0, %47 ], [ %1, %40 ]
  %52 = phi double [ %1, %47 ], [ %0, %40 ]
  %53 = fcmp olt double %52, %51
  %54 = select i1 %53, double %52, double %51
  %55 = select i1 %53, double %51, double %52
  %56 = fcmp ogt double %55, 1.000000e+08
  br i1 %56, label %57, label %89

57:
  %58 = fmul double %54, %54
  %59 = fdiv double %58, %55
  %60 = fmul double %54, %59
  %61 = fmul double %55, 0x3C9CD2B297D889BC
  %62 = fcmp olt double %60, %61
  br i1 %62, label %63, label %89

63:
  br i1 %53, label %64, label %73

64:
  %65 = fadd double %52, -1.000000e+00
  %66 = fmul double %65, 5.000000e-01
  %67 = fadd double %51, %66
  %68 = fneg double %67
  %69 = fneg double %50
  %70 = tail call double @log1p(double %69)
  %71 = fmul double %70, %68
  %72 = tail call double @olympus_incomplete_gamma(double %52, double %71, i1 %46)
  br label %108

73:
  %74 = fadd double %51, -1.000000e+00
  %75 = fmul double %74, 5.000000e-01
  %76 = fadd double %52, %75
  %77 = fneg double %76
  %78 = fcmp olt double %50, 5.000000e-01
  br i1 %78, label %79, label %81

79:
  %80 = tail call double @log(double %50)
  br label %84

81:
  %82 = fneg double %49
  %83 = tail call double @log1p(double %82)
  br label %84

84:
  %85 = phi double [ %80, %79 ], [ %83, %81 ]
  %86 = fmul double %85, %77
  %87 = xor i1 %46, true
  %88 = tail call double @olympus_incomplete_gamma(double %51, double %86, i1 %87)
  br label %108

89:
  %90 = fcmp ole double %52, 1.000000e-01
  %91 = and i1 %46, %90
  br i1 %91, label %92, label %94

92:
  %93 = tail call double @olympus_beta_upper_series(double %52, double %51, double %50)
  br label %108

94:
  %95 = fcmp ogt double %55, 3.000000e+03
  %96 = fcmp ogt double %54, 2.000000e+01
  %97 = and i1 %95, %96
  %98 = tail call double @olympus_beta_weight(double %52, double %51, double %50, double %49)
  br i1 %97, label %99, label %101

99:
  %100 = tail call double @olympus_beta_by_integral(double %52, double %51, double %50, double %49)
  br label %103

101:
  %102 = tail call double @olympus_beta_fraction(double %52, double %51, double %50, double %49)
  br label %103

103:
  %104 = phi double [ %102, %101 ], [ %100, %99 ]
  %105 = fmul double %98, %104
  %106 = fsub double 1.000000e+00, %105
  %107 = select i1 %46, double %106, double %105
  br label %108

108:
  %109 = phi double [ 0x7FF8000000000000, %3 ], [ 0x7FF8000000000000, %11 ], [ %22, %20 ], [ %26, %24 ], [ %32, %31 ], [ %39, %37 ], [ %107, %103 ], [ %93, %92 ], [ %72, %64 ], [ %88, %84 ]
  ret double %109
}

define double @olympus_bessel_i0e(double %0) nounwind {
  %2 = tail call double @llvm.fabs.f64(double %0)
  %3 = fcmp ole double %2, 8.000000e+00
  %4 = fmul double %2, 2.500000e-01
  %5 = fdiv double 1.600000e+01, %2
  %6 = select i1 %3, double %4, double %5
  %7 = fadd double %6, -1.000000e+00
  %8 = fmul double %7, 2.000000e+00
  br i1 %3, label %9, label %20

9:
  %10 = phi i64 [ %18, %9 ], [ 0, %1 ]
  %11 = phi double [ %12, %9 ], [ 0.000000e+00, %1 ]
  %12 = phi double [ %17, %9 ], [ 0.000000e+00, %1 ]
  %13 = fmul double %8, %12
  %14 = fsub double %13, %11
  %15 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i0e.small, i64 %10
  %16 = load double, ptr %15, align 8
  %17 = fadd double %14, %16
  %18 = add nuw nsw i64 %10, 1
  %19 = icmp eq i64 %18, 30
  br i1 %19, label %31, label %9

20:
  %21 = phi i64 [ %29, %20 ], [ 0, %1 ]
  %22 = phi double [ %23, %20 ], [ 0.000000e+00, %1 ]
  %23 = phi double [ %28, %20 ], [ 0.000000e+00, %1 ]
  %24 = fmul double %8, %23
  %25 = fsub double %24, %22
  %26 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i0e.large, i64 %21
  %27 = load double, ptr %26, align 8
  %28 = fadd double %25, %27
  %29 = add nuw nsw i64 %21, 1
  %30 = icmp eq i64 %29, 25
  br i1 %30, label %31, label %20

31:
  %32 = phi double [ %17, %9 ], [ %28, %20 ]
  %33 = phi double [ %12, %9 ], [ %23, %20 ]
  %34 = fmul double %7, %33
  %35 = fsub double %32, %34
  %36 = tail call double @llvm.sqrt.f64(double %2)
  %37 = fdiv double %35, %36
  %38 = select i1 %3, double %35, double %37
  ret double %38
}

define double @olympus_bessel_i1e(double %0) nounwind {
  %2 = tail call double @llvm.fabs.f64(double %0)
  %3 = fcmp ole double %2, 8.000000e+00
  %4 = fmul double %2, 2.500000e-01
  %5 = fdiv double 1.600000e+01, %2
  %6 = select i1 %3, double %4, double %5
  %7 = fadd double %6, -1.000000e+00
  %8 = fmul double %7, 2.000000e+00
  br i1 %3, label %9, label %20

9:
  %10 = phi i64 [ %18, %9 ], [ 0, %1 ]
  %11 = phi double [ %12, %9 ], [ 0.000000e+00, %1 ]
  %12 = phi double [ %17, %9 ], [ 0.000000e+00, %1 ]
  %13 = fmul double %8, %12
  %14 = fsub double %13, %11
  %15 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i1e.small, i64 %10
  %16 = load double, ptr %15, align 8
  %17 = fadd double %14, %16
  %18 = add nuw nsw i64 %10, 1
  %19 = icmp eq i64 %18, 29
  br i1 %19, label %31, label %9

20:
  %21 = phi i64 [ %29, %20 ], [ 0, %1 ]
  %22 = phi double [ %23, %20 ], [ 0.000000e+00, %1 ]
  %23 = phi double [ %28, %20 ], [ 0.000000e+00, %1 ]
  %24 = fmul double %8, %23
  %25 = fsub double %24, %22
  %26 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i1e.large, i64 %21
  %27 = load double, ptr %26, align 8
  %28 = fadd double %25, %27
  %29 = add nuw nsw i64 %21, 1
  %30 = icmp eq i64 %29, 25
  br i1 %30, label %35, label %20

31:
  %32 = fmul double %7, %12
  %33 = fsub double %17, %32
  %34 = fmul double %0, %33
  br label %43

35:
  %36 = fmul double %7, %23
  %37 = fsub double %28, %36
  %38 = tail call double @llvm.sqrt.f64(double %2)
  %39 = fdiv double %37, %38
  %40 = fcmp olt double %0, 0.000000e+00
  %41 = fneg double %39
  %42 = select i1 %40, double %41, double %39
  br label %43

43:
  %44 = phi double [ %34, %31 ], [ %42, %35 ]
  ret double %44
}

define double @olympus_zeta_scaled(double %0, double %1) nounwind {
  %3 = fneg double %0
  br label %7

4:
  %5 = add nuw nsw i32 %9, 1
  %6 = icmp eq i32 %5, 10
  br i1 %6, label %17, label %7

7:
  %8 = phi double [ 1.000000e+00, %2 ], [ %14, %4 ]
  %9 = phi i32 [ 1, %2 ], [ %5, %4 ]
  %10 = uitofp nneg i32 %9 to double
  %11 = fadd double %1, %10
  %12 = fdiv double %11, %1
  %13 = tail call double @pow(double %12, double %3)
  %14 = fadd double %8, %13
  %15 = fmul double %14, 1.000000e-17
  %16 = fcmp uge double %13, %15
  br i1 %16, label %4, label %54

17:
  %18 = fadd double %1, 1.000000e+01
  %19 = fdiv double %18, %1
  %20 = tail call double @pow(double %19, double %3)
  %21 = fdiv double 1.000000e+00, %18
  %22 = fadd double %0, -1.000000e+00
  %23 = fdiv double %18, %22
  %24 = fadd double %23, 5.000000e-01
  %25 = fmul double %24, %20
  %26 = fadd double %14, %25
  %27 = fmul double %0, %20
  %28 = fmul double %21, %27
  br label %29

29:
  %30 = phi i64 [ 0, %17 ], [ %52, %41 ]
  %31 = phi double [ %28, %17 ], [ %51, %41 ]
  %32 = phi double [ %26, %17 ], [ %37, %41 ]
  %33 = sub nuw nsw i64 9, %30
  %34 = getelementptr inbounds nuw double, ptr @__const.olympus_zeta_scaled.c, i64 %33
  %35 = load double, ptr %34, align 8
  %36 = fmul double %31, %35
  %37 = fadd double %32, %36
  %38 = tail call double @llvm.fabs.f64(double %36)
  %39 = fmul double %37, 1.000000e-17
  %40 = fcmp uge double %38, %39
  br i1 %40, label %41, label %54

41:
  %42 = trunc i64 %30 to i32
  %43 = shl i32 %42, 1
  %44 = uitofp nneg i32 %43 to double
  %45 = fadd double %0, %44
  %46 = fadd double %45, 1.000000e+00
  %47 = fmul double %21, %46
  %48 = fadd double %45, 2.000000e+00
  %49 = fmul double %48, %47
  %50 = fmul double %21, %49
  %51 = fmul double %31, %50
  %52 = add nuw nsw i64 %30, 1
  %53 = icmp eq i64 %52, 10
  br i1 %53, label %54, label %29

54:
  %55 = phi double [ %37, %41 ], [ %37, %29 ], [ %14, %7 ]
  ret double %55
}

define double @olympus_zeta_of_positive(double %0, double %1) nounwind {
  %3 = fcmp ogt double %1, 1.000000e+100
  br i1 %3, label %4, label %9

4:
  %5 = fsub double 1.000000e+00, %0
  %6 = tail call double @pow(double %1, double %5)
  %7 = fadd double %0, -1.000000e+00
  %8 = fdiv double %6, %7
  br label %67

9:
  %10 = fmul double %0, -5.000000e-01
  %11 = tail call double @pow(double %1, double %10)
  %12 = fneg double %0
  br label %16

13:
  %14 = add nuw nsw i32 %18, 1
  %15 = icmp eq i32 %14, 10
  br i1 %15, label %26, label %16

16:
  %17 = phi double [ 1.000000e+00, %9 ], [ %23, %13 ]
  %18 = phi i32 [ 1, %9 ], [ %14, %13 ]
  %19 = uitofp nneg i32 %18 to double
  %20 = fadd double %1, %19
  %21 = fdiv double %20, %1
  %22 = tail call double @pow(double %21, double %12)
  %23 = fadd double %17, %22
  %24 = fmul double %23, 1.000000e-17
  %25 = fcmp uge double %22, %24
  br i1 %25, label %13, label %63

26:
  %27 = fadd double %1, 1.000000e+01
  %28 = fdiv double %27, %1
  %29 = tail call double @pow(double %28, double %12)
  %30 = fdiv double 1.000000e+00, %27
  %31 = fadd double %0, -1.000000e+00
  %32 = fdiv double %27, %31
  %33 = fadd double %32, 5.000000e-01
  %34 = fmul double %33, %29
  %35 = fadd double %23, %34
  %36 = fmul double %0, %29
  %37 = fmul double %30, %36
  br label %38

38:
  %39 = phi i64 [ 0, %26 ], [ %61, %50 ]
  %40 = phi double [ %37, %26 ], [ %60, %50 ]
  %41 = phi double [ %35, %26 ], [ %46, %50 ]
  %42 = sub nuw nsw i64 9, %39
  %43 = getelementptr inbounds nuw double, ptr @__const.olympus_zeta_scaled.c, i64 %42
  %44 = load double, ptr %43, align 8
  %45 = fmul double %40, %44
  %46 = fadd double %41, %45
  %47 = tail call double @llvm.fabs.f64(double %45)
  %48 = fmul double %46, 1.000000e-17
  %49 = fcmp uge double %47, %48
  br i1 %49, label %50, label %63

50:
  %51 = trunc i64 %39 to i32
  %52 = shl i32 %51, 1
  %53 = uitofp nneg i32 %52 to double
  %54 = fadd double %0, %53
  %55 = fadd double %54, 1.000000e+00
  %56 = fmul double %30, %55
  %57 = fadd double %54, 2.000000e+00
  %58 = fmul double %57, %56
  %59 = fmul double %30, %58
  %60 = fmul double %40, %59
  %61 = add nuw nsw i64 %39, 1
  %62 = icmp eq i64 %61, 10
  br i1 %62, label %63, label %38

63:
  %64 = phi double [ %46, %38 ], [ %46, %50 ], [ %23, %16 ]
  %65 = fmul double %11, %64
  %66 = fmul double %11, %65
  br label %67

67:
  %68 = phi double [ %8, %4 ], [ %66, %63 ]
  ret double %68
}

define double @olympus_zeta(double %0, double %1) nounwind {
  %3 = fcmp ult double %0, 1.000000e+00
  %4 = fcmp uno double %1, 0.000000e+00
  %5 = or i1 %3, %4
  br i1 %5, label %125, label %6

6:
  %7 = fcmp oeq double %0, 1.000000e+00
  br i1 %7, label %125, label %8

8:
  %9 = fcmp ugt double %1, 0.000000e+00
  br i1 %9, label %114, label %10

10:
  %11 = tail call double @llvm.fabs.f64(double %1)
  %12 = fcmp olt double %11, 0x4330000000000000
  br i1 %12, label %13, label %19

13:
  %14 = fptosi double %1 to i64
  %15 = sitofp i64 %14 to double
  %16 = fcmp olt double %1, %15
  %17 = fadd double %15, -1.000000e+00
  %18 = select i1 %16, double %17, double %15
  br label %19

19:
  %20 = phi double [ %18, %13 ], [ %1, %10 ]
  %21 = fcmp oeq double %1, %20
  br i1 %21, label %125, label %22

22:
  %23 = fcmp olt double %0, 0x4330000000000000
  br i1 %23, label %24, label %30

24:
  %25 = fptosi double %0 to i64
  %26 = sitofp i64 %25 to double
  %27 = fcmp olt double %0, %26
  %28 = fadd double %26, -1.000000e+00
  %29 = select i1 %27, double %28, double %26
  br label %30

30:
  %31 = phi double [ %29, %24 ], [ %0, %22 ]
  %32 = fcmp une double %0, %31
  %33 = fcmp oeq double %0, 0x7FF0000000000000
  %34 = or i1 %33, %32
  br i1 %34, label %125, label %35

35:
  br i1 %12, label %36, label %42

36:
  %37 = fptosi double %1 to i64
  %38 = sitofp i64 %37 to double
  %39 = fcmp olt double %1, %38
  %40 = fadd double %38, -1.000000e+00
  %41 = select i1 %39, double %40, double %38
  br label %42

42:
  %43 = phi double [ %41, %36 ], [ %1, %35 ]
  %44 = fneg double %43
  %45 = fsub double %1, %43
  %46 = fneg double %1
  %47 = fsub double -1.000000e+00, %43
  %48 = fsub double %46, %47
  %49 = fmul double %0, 5.000000e-01
  %50 = fcmp olt double %49, 0x4330000000000000
  br i1 %50, label %51, label %57

51:
  %52 = fptosi double %49 to i64
  %53 = sitofp i64 %52 to double
  %54 = fcmp olt double %49, %53
  %55 = fadd double %53, -1.000000e+00
  %56 = select i1 %54, double %55, double %53
  br label %57

57:
  %58 = phi double [ %56, %51 ], [ %49, %42 ]
  %59 = fmul double %58, 2.000000e+00
  %60 = fcmp oeq double %0, %59
  br i1 %60, label %61, label %68

61:
  %62 = tail call double @olympus_zeta_of_positive(double %0, double %45)
  %63 = tail call double @olympus_zeta_of_positive(double %0, double %48)
  %64 = fsub double %48, %43
  %65 = tail call double @olympus_zeta_of_positive(double %0, double %64)
  %66 = fsub double %63, %65
  %67 = fadd double %62, %66
  br label %125

68:
  %69 = fsub double %45, %48
  %70 = tail call double @llvm.fabs.f64(double %69)
  %71 = fcmp olt double %43, 0.000000e+00
  br i1 %71, label %75, label %72

72:
  %73 = fadd double %45, 0.000000e+00
  %74 = tail call double @olympus_zeta_of_positive(double %0, double %73)
  br label %110

75:
  %76 = fcmp olt double %45, %48
  %77 = fcmp ueq double %69, 0.000000e+00
  %78 = select i1 %76, double %45, double %48
  %79 = fneg double %0
  br label %80

80:
  %81 = phi double [ 0.000000e+00, %75 ], [ %95, %91 ]
  %82 = phi double [ 0.000000e+00, %75 ], [ %96, %91 ]
  br i1 %77, label %91, label %83

83:
  %84 = fadd double %78, %82
  %85 = tail call double @pow(double %84, double %79)
  %86 = fdiv double %70, %84
  %87 = tail call double @log1p(double %86)
  %88 = fmul double %87, %79
  %89 = tail call double @expm1(double %88)
  %90 = fmul double %85, %89
  br label %91

91:
  %92 = phi double [ %90, %83 ], [ 0.000000e+00, %80 ]
  %93 = fneg double %92
  %94 = select i1 %76, double %93, double %92
  %95 = fadd double %81, %94
  %96 = fadd double %82, 1.000000e+00
  %97 = fcmp olt double %96, 1.600000e+01
  %98 = fcmp olt double %96, %44
  %99 = select i1 %97, i1 %98, i1 false
  br i1 %99, label %80, label %100

100:
  %101 = fadd double %45, %96
  %102 = tail call double @olympus_zeta_of_positive(double %0, double %101)
  br i1 %98, label %103, label %110

103:
  %104 = fadd double %48, %96
  %105 = tail call double @olympus_zeta_of_positive(double %0, double %104)
  %106 = fsub double %102, %105
  %107 = fsub double %48, %43
  %108 = tail call double @olympus_zeta_of_positive(double %0, double %107)
  %109 = fadd double %106, %108
  br label %110

110:
  %111 = phi double [ %95, %103 ], [ %95, %100 ], [ 0.000000e+00, %72 ]
  %112 = phi double [ %109, %103 ], [ %102, %100 ], [ %74, %72 ]
  %113 = fadd double %111, %112
  br label %125

114:
  %115 = fcmp oeq double %1, 0x7FF0000000000000
  br i1 %115, label %125, label %116

116:
  %117 = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %117, label %118, label %123

118:
  %119 = fcmp oeq double %1, 1.000000e+00
  %120 = fcmp ogt double %1, 1.000000e+00
  %121 = select i1 %120, double 0.000000e+00, double 0x7FF0000000000000
  %122 = select i1 %119, double 1.000000e+00, double %121
  br label %125

123:
  %124 = tail call double @olympus_zeta_of_positive(double %0, double %1)
  br label %125

125:
  %126 = phi double [ %124, %123 ], [ 0x7FF8000000000000, %2 ], [ 0x7FF0000000000000, %6 ], [ 0x7FF0000000000000, %19 ], [ 0x7FF8000000000000, %30 ], [ %113, %110 ], [ %122, %118 ], [ %67, %61 ], [ 0.000000e+00, %114 ]
  ret double %126
}

define double @olympus_gamma_product(double %0) nounwind {
  %2 = fcmp ult double %0, 2.000000e+00
  br i1 %2, label %3, label %5

3:
  %4 = phi double [ 1.000000e+00, %1 ], [ %8, %5 ]
  ret double %4

5:
  %6 = phi double [ %9, %5 ], [ 2.000000e+00, %1 ]
  %7 = phi double [ %8, %5 ], [ 1.000000e+00, %1 ]
  %8 = fmul double %7, %6
  %9 = fadd double %6, 1.000000e+00
  %10 = fcmp ugt double %9, %0
  br i1 %10, label %3, label %5
}

define double @olympus_polygamma(double %0, double %1) nounwind {
  %3 = fcmp ult double %0, 0.000000e+00
  br i1 %3, label %118, label %4

4:
  %5 = tail call double @llvm.fabs.f64(double %0)
  %6 = fcmp olt double %5, 0x4330000000000000
  br i1 %6, label %7, label %13

7:
  %8 = fptosi double %0 to i64
  %9 = sitofp i64 %8 to double
  %10 = fcmp olt double %0, %9
  %11 = fadd double %9, -1.000000e+00
  %12 = select i1 %10, double %11, double %9
  br label %13

13:
  %14 = phi double [ %12, %7 ], [ %0, %4 ]
  %15 = fcmp une double %0, %14
  %16 = fcmp oeq double %0, 0x7FF0000000000000
  %17 = or i1 %16, %15
  %18 = fcmp uno double %1, 0.000000e+00
  %19 = or i1 %18, %17
  br i1 %19, label %118, label %20

20:
  %21 = fcmp oeq double %0, 0.000000e+00
  br i1 %21, label %22, label %24

22:
  %23 = tail call double @olympus_float_digamma(double %1)
  br label %118

24:
  %25 = fmul double %0, 5.000000e-01
  %26 = fcmp olt double %25, 0x4330000000000000
  br i1 %26, label %27, label %33

27:
  %28 = fptosi double %25 to i64
  %29 = sitofp i64 %28 to double
  %30 = fcmp olt double %25, %29
  %31 = fadd double %29, -1.000000e+00
  %32 = select i1 %30, double %31, double %29
  br label %33

33:
  %34 = phi double [ %32, %27 ], [ %25, %24 ]
  %35 = fmul double %34, 2.000000e+00
  %36 = fcmp oeq double %0, %35
  %37 = select i1 %36, double -1.000000e+00, double 1.000000e+00
  %38 = fcmp olt double %1, 0.000000e+00
  %39 = select i1 %38, i1 %36, i1 false
  br i1 %39, label %40, label %67

40:
  %41 = tail call double @llvm.fabs.f64(double %1)
  %42 = fcmp olt double %41, 0x4330000000000000
  br i1 %42, label %43, label %49

43:
  %44 = fptosi double %1 to i64
  %45 = sitofp i64 %44 to double
  %46 = fcmp olt double %1, %45
  %47 = fadd double %45, -1.000000e+00
  %48 = select i1 %46, double %47, double %45
  br label %49

49:
  %50 = phi double [ %48, %43 ], [ %1, %40 ]
  %51 = fcmp une double %1, %50
  br i1 %51, label %52, label %67

52:
  %53 = fadd double %1, %1
  %54 = tail call double @llvm.fabs.f64(double %53)
  %55 = fcmp olt double %54, 0x4330000000000000
  br i1 %55, label %56, label %62

56:
  %57 = fptosi double %53 to i64
  %58 = sitofp i64 %57 to double
  %59 = fcmp olt double %53, %58
  %60 = fadd double %58, -1.000000e+00
  %61 = select i1 %59, double %60, double %58
  br label %62

62:
  %63 = phi double [ %61, %56 ], [ %53, %52 ]
  %64 = fcmp oeq double %53, %63
  br i1 %64, label %65, label %67

65:
  %66 = fsub double 1.000000e+00, %1
  br label %67

67:
  %68 = phi double [ %66, %65 ], [ %1, %62 ], [ %1, %49 ], [ %1, %33 ]
  %69 = fcmp ugt double %68, 0.000000e+00
  br i1 %69, label %89, label %70

70:
  %71 = fadd double %0, 1.000000e+00
  %72 = tail call double @olympus_zeta(double %71, double %68)
  %73 = fcmp ugt double %0, 1.700000e+02
  br i1 %73, label %82, label %74

74:
  %75 = fcmp ult double %0, 2.000000e+00
  br i1 %75, label %85, label %76

76:
  %77 = phi double [ %80, %76 ], [ 2.000000e+00, %74 ]
  %78 = phi double [ %79, %76 ], [ 1.000000e+00, %74 ]
  %79 = fmul double %77, %78
  %80 = fadd double %77, 1.000000e+00
  %81 = fcmp ugt double %80, %0
  br i1 %81, label %85, label %76

82:
  %83 = tail call double @olympus_float_lgamma(double %71)
  %84 = tail call double @exp(double %83)
  br label %85

85:
  %86 = phi double [ %84, %82 ], [ 1.000000e+00, %74 ], [ %79, %76 ]
  %87 = fmul double %72, %86
  %88 = fmul double %37, %87
  br label %118

89:
  %90 = fcmp oeq double %68, 0x7FF0000000000000
  br i1 %90, label %91, label %93

91:
  %92 = tail call double @llvm.copysign.f64(double 0.000000e+00, double %37)
  br label %118

93:
  %94 = fadd double %0, 1.000000e+00
  %95 = tail call double @olympus_zeta_scaled(double %94, double %68)
  %96 = fcmp ogt double %0, 1.700000e+02
  br i1 %96, label %97, label %105

97:
  %98 = tail call double @olympus_float_lgamma(double %94)
  %99 = tail call double @log(double %68)
  %100 = fmul double %94, %99
  %101 = fsub double %98, %100
  %102 = tail call double @exp(double %101)
  %103 = fmul double %37, %102
  %104 = fmul double %95, %103
  br label %118

105:
  %106 = fdiv double %95, %68
  %107 = fcmp ult double %0, 1.000000e+00
  br i1 %107, label %108, label %111

108:
  %109 = phi double [ %106, %105 ], [ %115, %111 ]
  %110 = fmul double %37, %109
  br label %118

111:
  %112 = phi double [ %116, %111 ], [ 1.000000e+00, %105 ]
  %113 = phi double [ %115, %111 ], [ %106, %105 ]
  %114 = fdiv double %112, %68
  %115 = fmul double %113, %114
  %116 = fadd double %112, 1.000000e+00
  %117 = fcmp ugt double %116, %0
  br i1 %117, label %108, label %111

118:
  %119 = phi double [ 0x7FF8000000000000, %2 ], [ %23, %22 ], [ 0x7FF8000000000000, %13 ], [ %88, %85 ], [ %92, %91 ], [ %104, %97 ], [ %110, %108 ]
  ret double %119
}

define void @olympus_each_bessel_i0e(ptr %0, i64 %1) nounwind {
  %3 = icmp sgt i64 %1, 0
  br i1 %3, label %5, label %4

4:
  ret void

5:
  %6 = phi i64 [ %46, %38 ], [ 0, %2 ]
  %7 = getelementptr inbounds nuw double, ptr %0, i64 %6
  %8 = load double, ptr %7, align 8
  %9 = tail call double @llvm.fabs.f64(double %8)
  %10 = fcmp ole double %9, 8.000000e+00
  %11 = fmul double %9, 2.500000e-01
  %12 = fdiv double 1.600000e+01, %9
  %13 = select i1 %10, double %11, double %12
  %14 = fadd double %13, -1.000000e+00
  %15 = fmul double %14, 2.000000e+00
  br i1 %10, label %16, label %27

16:
  %17 = phi i64 [ %25, %16 ], [ 0, %5 ]
  %18 = phi double [ %19, %16 ], [ 0.000000e+00, %5 ]
  %19 = phi double [ %24, %16 ], [ 0.000000e+00, %5 ]
  %20 = fmul double %15, %19
  %21 = fsub double %20, %18
  %22 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i0e.small, i64 %17
  %23 = load double, ptr %22, align 8
  %24 = fadd double %23, %21
  %25 = add nuw nsw i64 %17, 1
  %26 = icmp eq i64 %25, 30
  br i1 %26, label %38, label %16

27:
  %28 = phi i64 [ %36, %27 ], [ 0, %5 ]
  %29 = phi double [ %30, %27 ], [ 0.000000e+00, %5 ]
  %30 = phi double [ %35, %27 ], [ 0.000000e+00, %5 ]
  %31 = fmul double %15, %30
  %32 = fsub double %31, %29
  %33 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i0e.large, i64 %28
  %34 = load double, ptr %33, align 8
  %35 = fadd double %34, %32
  %36 = add nuw nsw i64 %28, 1
  %37 = icmp eq i64 %36, 25
  br i1 %37, label %38, label %27

38:
  %39 = phi double [ %24, %16 ], [ %35, %27 ]
  %40 = phi double [ %19, %16 ], [ %30, %27 ]
  %41 = fmul double %14, %40
  %42 = fsub double %39, %41
  %43 = tail call double @llvm.sqrt.f64(double %9)
  %44 = fdiv double %42, %43
  %45 = select i1 %10, double %42, double %44
  store double %45, ptr %7, align 8
  %46 = add nuw nsw i64 %6, 1
  %47 = icmp eq i64 %46, %1
  br i1 %47, label %4, label %5
}

define void @olympus_each_bessel_i1e(ptr %0, i64 %1) nounwind {
  %3 = icmp sgt i64 %1, 0
  br i1 %3, label %5, label %4

4:
  ret void

5:
  %6 = phi i64 [ %52, %50 ], [ 0, %2 ]
  %7 = getelementptr inbounds nuw double, ptr %0, i64 %6
  %8 = load double, ptr %7, align 8
  %9 = tail call double @llvm.fabs.f64(double %8)
  %10 = fcmp ole double %9, 8.000000e+00
  %11 = fmul double %9, 2.500000e-01
  %12 = fdiv double 1.600000e+01, %9
  %13 = select i1 %10, double %11, double %12
  %14 = fadd double %13, -1.000000e+00
  %15 = fmul double %14, 2.000000e+00
  br i1 %10, label %16, label %27

16:
  %17 = phi i64 [ %25, %16 ], [ 0, %5 ]
  %18 = phi double [ %19, %16 ], [ 0.000000e+00, %5 ]
  %19 = phi double [ %24, %16 ], [ 0.000000e+00, %5 ]
  %20 = fmul double %15, %19
  %21 = fsub double %20, %18
  %22 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i1e.small, i64 %17
  %23 = load double, ptr %22, align 8
  %24 = fadd double %23, %21
  %25 = add nuw nsw i64 %17, 1
  %26 = icmp eq i64 %25, 29
  br i1 %26, label %38, label %16

27:
  %28 = phi i64 [ %36, %27 ], [ 0, %5 ]
  %29 = phi double [ %30, %27 ], [ 0.000000e+00, %5 ]
  %30 = phi double [ %35, %27 ], [ 0.000000e+00, %5 ]
  %31 = fmul double %15, %30
  %32 = fsub double %31, %29
  %33 = getelementptr inbounds nuw double, ptr @__const.olympus_bessel_i1e.large, i64 %28
  %34 = load double, ptr %33, align 8
  %35 = fadd double %34, %32
  %36 = add nuw nsw i64 %28, 1
  %37 = icmp eq i64 %36, 25
  br i1 %37, label %42, label %27

38:
  %39 = fmul double %14, %19
  %40 = fsub double %24, %39
  %41 = fmul double %8, %40
  br label %50

42:
  %43 = fmul double %14, %30
  %44 = fsub double %35, %43
  %45 = tail call double @llvm.sqrt.f64(double %9)
  %46 = fdiv double %44, %45
  %47 = fcmp olt double %8, 0.000000e+00
  %48 = fneg double %46
  %49 = select i1 %47, double %48, double %46
  br label %50

50:
  %51 = phi double [ %41, %38 ], [ %49, %42 ]
  store double %51, ptr %7, align 8
  %52 = add nuw nsw i64 %6, 1
  %53 = icmp eq i64 %52, %1
  br i1 %53, label %4, label %5
}

define void @olympus_each_igamma(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp sgt i64 %2, 0
  br i1 %4, label %6, label %5

5:
  ret void

6:
  %7 = phi i64 [ %13, %6 ], [ 0, %3 ]
  %8 = getelementptr inbounds nuw double, ptr %0, i64 %7
  %9 = load double, ptr %8, align 8
  %10 = getelementptr inbounds nuw double, ptr %1, i64 %7
  %11 = load double, ptr %10, align 8
  %12 = tail call double @olympus_incomplete_gamma(double %9, double %11, i1 false)
  store double %12, ptr %8, align 8
  %13 = add nuw nsw i64 %7, 1
  %14 = icmp eq i64 %13, %2
  br i1 %14, label %5, label %6
}

define void @olympus_each_igammac(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp sgt i64 %2, 0
  br i1 %4, label %6, label %5

5:
  ret void

6:
  %7 = phi i64 [ %13, %6 ], [ 0, %3 ]
  %8 = getelementptr inbounds nuw double, ptr %0, i64 %7
  %9 = load double, ptr %8, align 8
  %10 = getelementptr inbounds nuw double, ptr %1, i64 %7
  %11 = load double, ptr %10, align 8
  %12 = tail call double @olympus_incomplete_gamma(double %9, double %11, i1 true)
  store double %12, ptr %8, align 8
  %13 = add nuw nsw i64 %7, 1
  %14 = icmp eq i64 %13, %2
  br i1 %14, label %5, label %6
}

define void @olympus_each_igamma_grad_a(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp sgt i64 %2, 0
  br i1 %4, label %6, label %5

5:
  ret void

6:
  %7 = phi i64 [ %32, %30 ], [ 0, %3 ]
  %8 = getelementptr inbounds nuw double, ptr %0, i64 %7
  %9 = load double, ptr %8, align 8
  %10 = getelementptr inbounds nuw double, ptr %1, i64 %7
  %11 = load double, ptr %10, align 8
  %12 = fcmp ogt double %9, 0.000000e+00
  %13 = fcmp oge double %11, 0.000000e+00
  %14 = and i1 %12, %13
  br i1 %14, label %15, label %30

15:
  %16 = fcmp oeq double %11, 0.000000e+00
  br i1 %16, label %30, label %17

17:
  %18 = fcmp oeq double %11, 0x7FF0000000000000
  %19 = fcmp one double %9, 0x7FF0000000000000
  %20 = and i1 %19, %18
  br i1 %20, label %30, label %21

21:
  %22 = fcmp oeq double %9, 0x7FF0000000000000
  br i1 %22, label %30, label %23

23:
  %24 = tail call double @olympus_gamma_weight(double %9, double %11)
  %25 = fcmp oeq double %24, 0.000000e+00
  br i1 %25, label %30, label %26

26:
  %27 = fneg double %24
  %28 = tail call double @olympus_gamma_slope(double %9, double %11)
  %29 = fmul double %28, %27
  br label %30

30:
  %31 = phi double [ 0x7FF8000000000000, %6 ], [ 0.000000e+00, %15 ], [ 0x7FF8000000000000, %21 ], [ 0.000000e+00, %17 ], [ %29, %26 ], [ 0.000000e+00, %23 ]
  store double %31, ptr %8, align 8
  %32 = add nuw nsw i64 %7, 1
  %33 = icmp eq i64 %32, %2
  br i1 %33, label %5, label %6
}

define void @olympus_each_random_gamma_grad(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp sgt i64 %2, 0
  br i1 %4, label %6, label %5

5:
  ret void

6:
  %7 = phi i64 [ %26, %24 ], [ 0, %3 ]
  %8 = getelementptr inbounds nuw double, ptr %0, i64 %7
  %9 = load double, ptr %8, align 8
  %10 = getelementptr inbounds nuw double, ptr %1, i64 %7
  %11 = load double, ptr %10, align 8
  %12 = fcmp ogt double %9, 0.000000e+00
  %13 = fcmp oge double %11, 0.000000e+00
  %14 = and i1 %12, %13
  br i1 %14, label %15, label %24

15:
  %16 = fcmp oeq double %11, 0.000000e+00
  br i1 %16, label %24, label %17

17:
  %18 = fcmp oeq double %9, 0x7FF0000000000000
  %19 = fcmp oeq double %11, 0x7FF0000000000000
  %20 = or i1 %18, %19
  br i1 %20, label %24, label %21

21:
  %22 = tail call double @olympus_gamma_slope(double %9, double %11)
  %23 = fmul double %11, %22
  br label %24

24:
  %25 = phi double [ 0x7FF8000000000000, %6 ], [ 0.000000e+00, %15 ], [ %23, %21 ], [ 0x7FF8000000000000, %17 ]
  store double %25, ptr %8, align 8
  %26 = add nuw nsw i64 %7, 1
  %27 = icmp eq i64 %26, %2
  br i1 %27, label %5, label %6
}

define void @olympus_each_zeta(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp sgt i64 %2, 0
  br i1 %4, label %6, label %5

5:
  ret void

6:
  %7 = phi i64 [ %13, %6 ], [ 0, %3 ]
  %8 = getelementptr inbounds nuw double, ptr %0, i64 %7
  %9 = load double, ptr %8, align 8
  %10 = getelementptr inbounds nuw double, ptr %1, i64 %7
  %11 = load double, ptr %10, align 8
  %12 = tail call double @olympus_zeta(double %9, double %11)
  store double %12, ptr %8, align 8
  %13 = add nuw nsw i64 %7, 1
  %14 = icmp eq i64 %13, %2
  br i1 %14, label %5, label %6
}

define void @olympus_each_polygamma(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp sgt i64 %2, 0
  br i1 %4, label %6, label %5

5:
  ret void

6:
  %7 = phi i64 [ %13, %6 ], [ 0, %3 ]
  %8 = getelementptr inbounds nuw double, ptr %0, i64 %7
  %9 = load double, ptr %8, align 8
  %10 = getelementptr inbounds nuw double, ptr %1, i64 %7
  %11 = load double, ptr %10, align 8
  %12 = tail call double @olympus_polygamma(double %9, double %11)
  store double %12, ptr %8, align 8
  %13 = add nuw nsw i64 %7, 1
  %14 = icmp eq i64 %13, %2
  br i1 %14, label %5, label %6
}

define void @olympus_each_betainc(ptr %0, ptr %1, ptr %2, i64 %3) nounwind {
  %5 = icmp sgt i64 %3, 0
  br i1 %5, label %7, label %6

6:
  ret void

7:
  %8 = phi i64 [ %16, %7 ], [ 0, %4 ]
  %9 = getelementptr inbounds nuw double, ptr %0, i64 %8
  %10 = load double, ptr %9, align 8
  %11 = getelementptr inbounds nuw double, ptr %1, i64 %8
  %12 = load double, ptr %11, align 8
  %13 = getelementptr inbounds nuw double, ptr %2, i64 %8
  %14 = load double, ptr %13, align 8
  %15 = tail call double @olympus_betainc(double %10, double %12, double %14)
  store double %15, ptr %9, align 8
  %16 = add nuw nsw i64 %8, 1
  %17 = icmp eq i64 %16, %3
  br i1 %17, label %6, label %7
}

declare double @llvm.copysign.f64(double, double)
